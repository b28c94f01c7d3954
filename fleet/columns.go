package fleet

import (
	"reflect"
	"strings"
	"sync"
	"time"
)

// Column is one column of a table.
type Column struct {
	Name  string
	Type  string // text, integer, bigint, boolean or timestamp
	Null  bool   // it may be null
	About string
}

// Table is one of the four tables.
type Table struct {
	Name    string
	Columns []Column
}

// Tables lists them.
func Tables() []Table {
	return []Table{
		{"runs", ColumnsOf[Run]()}, {"findings", ColumnsOf[Finding]()}, {"outcomes", ColumnsOf[Outcome]()}, {"stages", ColumnsOf[Stage]()},
	}
}

// ColumnsOf reads the columns from the tags of a row type.
func ColumnsOf[R any]() []Column {
	t := reflect.TypeFor[R]()
	all := make([]Column, t.NumField())
	for i := range all {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("parquet"), ",")
		all[i] = Column{Name: name, Type: typeName(f.Type), Null: strings.HasPrefix(options, "optional"), About: f.Tag.Get("about")}
	}
	return all
}

func typeName(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[time.Time]():
		return "timestamp"
	case t.Kind() == reflect.Int32:
		return "integer"
	case t.Kind() == reflect.Int64:
		return "bigint"
	case t.Kind() == reflect.Bool:
		return "boolean"
	}
	return "text"
}

// Values writes the fields of a row to room, in the order of its columns; nil is null. room must have one element per
// column.
func Values[R any](row *R, room []any) []any {
	v := reflect.ValueOf(row).Elem()
	null := nullTexts(v.Type())
	for i := range room {
		f := v.Field(i)
		switch {
		case f.Kind() == reflect.Pointer && f.IsNil(), null[i] && f.Len() == 0:
			room[i] = nil
		case f.Kind() == reflect.Pointer:
			room[i] = f.Elem().Interface()
		default:
			room[i] = f.Interface()
		}
	}
	return room
}

var nullTextsOf sync.Map // reflect.Type to []bool

// nullTexts says for each column of a row type whether it is a text that is null if empty.
func nullTexts(t reflect.Type) []bool {
	if known, there := nullTextsOf.Load(t); there {
		return known.([]bool)
	}
	null := make([]bool, t.NumField())
	for i := range null {
		null[i] = t.Field(i).Type.Kind() == reflect.String && strings.Contains(t.Field(i).Tag.Get("parquet"), ",optional")
	}
	nullTextsOf.Store(t, null)
	return null
}
