package filter

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// moment reads a time: a span before now (2h, 3d), a date with or without a time of day, or words as
// git log takes them. Dates and times of day are UTC, as they are shown; a day begins at midnight.
func moment(name, s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	now = now.UTC()
	for _, read := range []func(string, time.Time) (time.Time, bool){span, date, words} {
		if t, ok := read(strings.TrimSpace(s), now); ok {
			return t, nil
		}
	}
	return time.Time{}, &Error{name, s, `is not a time: write 2h, 3d, yesterday, "last week", "2 days ago", 2026-11-20 or 2026-11-20T15:04:05Z`}
}

// span is a duration before now.
func span(s string, now time.Time) (time.Time, bool) {
	if n := len(s) - 1; n > 0 && (s[n] == 'd' || s[n] == 'w') {
		days, err := strconv.ParseFloat(s[:n], 64)
		if s[n] == 'w' {
			days *= 7
		}
		if err == nil && days >= 0 && days < 1e5 {
			return now.Add(-time.Duration(days * 24 * float64(time.Hour))), true
		}
	}
	d, err := time.ParseDuration(s)
	return now.Add(-d), err == nil && d >= 0 // a negative span would lie in the future
}

var dates = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02", "2006/01/02", "2006/01/02 15:04",
	"2006-01-02 15:04:05 -0700", time.RFC1123Z, time.RFC1123, time.ANSIC, "Mon Jan _2 15:04:05 2006 -0700", "Mon Jan _2 2006",
	"Jan _2 2006", "Jan _2, 2006", "January _2 2006", "January _2, 2006", "_2 Jan 2006", "_2 January 2006",
}

// date reads a date, with or without a time of day.
func date(s string, now time.Time) (time.Time, bool) {
	for _, layout := range dates {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	for _, layout := range []string{"Jan _2", "January _2", "_2 Jan", "_2 January"} {
		t, err := time.Parse(layout, s)
		if err != nil {
			continue
		}
		if t = t.AddDate(now.Year(), 0, 0); t.After(now) {
			t = t.AddDate(-1, 0, 0)
		}
		return t, true
	}
	if seconds, err := strconv.ParseInt(strings.TrimPrefix(s, "@"), 10, 64); err == nil && seconds >= 1e8 && seconds < 1e11 {
		return time.Unix(seconds, 0).UTC(), true
	}
	return time.Time{}, false
}

var (
	numbers  = []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}
	units    = []string{"second", "minute", "hour", "day", "week", "fortnight", "month", "year"}
	short    = map[string]string{"sec": "second", "min": "minute", "hr": "hour", "wk": "week", "mo": "month", "yr": "year"}
	weekdays = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}
	hours    = map[string]int{"midnight": 0, "noon": 12, "tea": 17}
)

// words reads a time in words: "2 days ago", "last week", "1 week 2 days ago",
// "yesterday noon", "last friday", "today".
func words(s string, now time.Time) (time.Time, bool) {
	all := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r == ' ' || r == '.' || r == ',' || r == '_' })
	at, moved, n := now, false, -1 // n is a number whose unit has not been read yet
	for i, w := range all {
		number := numberOf(w)
		clock, isClock := clockOf(w)
		switch {
		case w == "ago" && moved && n < 0 && i == len(all)-1, w == "at", w == "on":
			continue
		case number >= 0 && n < 0:
			n = number
			continue
		case w == "now" && n < 0:
		case w == "today" && n < 0:
			at = midnight(at)
		case w == "yesterday" && n < 0:
			at = at.AddDate(0, 0, -1)
		case isClock && n < 0:
			if at = midnight(at).Add(clock); at.After(now) {
				at = at.AddDate(0, 0, -1)
			}
		case unitOf(w) != "" && n >= 0:
			at, n = before(at, n, unitOf(w)), -1
		case weekday(w) >= 0:
			days := (int(at.Weekday())-weekday(w)+6)%7 + 1
			at, n = at.AddDate(0, 0, -days-7*(max(n, 1)-1)), -1
		default:
			return time.Time{}, false
		}
		moved = true
	}
	return at, moved && n < 0
}

func midnight(t time.Time) time.Time { return t.Truncate(24 * time.Hour) }

// numberOf is the number that a word stands for; -1 if it is no number.
func numberOf(w string) int {
	if n, err := strconv.Atoi(w); err == nil && n >= 0 && n < 1e6 {
		return n
	}
	if w == "last" || w == "a" || w == "an" {
		return 1
	}
	return slices.Index(numbers, w)
}

func unitOf(w string) string {
	w = strings.TrimSuffix(w, "s")
	if slices.Contains(units, w) {
		return w
	}
	return short[w]
}

func weekday(w string) int {
	w = strings.TrimSuffix(w, "s")
	return slices.IndexFunc(weekdays, func(day string) bool { return w == day || len(w) >= 3 && strings.HasPrefix(day, w) })
}

func before(at time.Time, n int, unit string) time.Time {
	switch unit {
	case "month":
		return at.AddDate(0, -n, 0)
	case "year":
		return at.AddDate(-n, 0, 0)
	}
	each := map[string]time.Duration{
		"second": time.Second, "minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour, "week": 7 * 24 * time.Hour, "fortnight": 14 * 24 * time.Hour,
	}[unit]
	if n > int((100*365*24*time.Hour)/each) {
		return time.Time{}.Add(time.Second) // before everything
	}
	return at.Add(-time.Duration(n) * each)
}

// clockOf reads a time of day: noon, 15:04, 3pm.
func clockOf(w string) (time.Duration, bool) {
	if h, ok := hours[w]; ok {
		return time.Duration(h) * time.Hour, true
	}
	for _, layout := range []string{"15:04", "15:04:05", "3pm", "3:04pm"} {
		if t, err := time.Parse(layout, w); err == nil {
			return time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute + time.Duration(t.Second())*time.Second, true
		}
	}
	return 0, false
}
