package render

import (
	"encoding/csv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCSV(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain\n", "a,b": "\"a,b\"\n", `say "x"`: "\"say \"\"x\"\"\"\n", "=1+1": "'=1+1\n", "-2": "'-2\n", "＝cmd": "'＝cmd\n",
		"\t=1": "'=1\n", " =1": "'=1\n", "'=1": "''=1\n", "a\r\nb": "a b\n", "x\x1b[31my": "xy\n", "": "\n", "@SUM(A1)": "'@SUM(A1)\n",
	} {
		if got := CSV([]string{in, "x"}); got != strings.TrimSuffix(want, "\n")+",x\n" {
			t.Errorf("CSV(%q) = %q, want %q", in, got, want)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		row := rapid.SliceOfN(rapid.String(), 2, 5).Draw(rt, "row")
		text := CSV(row)
		back, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(back) != 1 || len(back[0]) != len(row) || strings.Count(text, "\n") != 1 {
			rt.Fatalf("%q reads back as %q, %v", text, back, err)
		}
		for _, cell := range back[0] {
			if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				rt.Fatalf("%q has a formula: %q", text, cell)
			}
		}
	})
}
