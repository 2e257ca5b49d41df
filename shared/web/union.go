package web

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/web/problem"
)

// A Union is a body of one of several forms, which one of its properties names: {"action": "engage", …}. The kit's
// validator reads that property first and checks the body against the one form. Every fault then has its path.
//
// The type of a body that is a union keeps the JSON as written, returns Schema as its own, and calls Read from its
// Resolve.
type Union struct {
	Property string
	Meaning  string
	Forms    []Form
}

// A Form is one form of a Union: the value that names it and the zero value of its type, a struct.
type Form struct {
	Name string
	Body any
}

// discriminator tells the forms of a union apart, as in OpenAPI's discriminator object.
type discriminator struct {
	Mapping      map[string]string `json:"mapping"` // from the property's value to the reference of the form's schema
	PropertyName string            `json:"propertyName"`

	names []string // in the union's order
}

// unionForms are the schemas of a union's forms. Huma does not look into extensions.
type unionForms []*huma.Schema

// Schema describes the union to the document and to the kit's validator. To huma it is an object.
func (u Union) Schema(registry huma.Registry) *huma.Schema {
	forms := make(unionForms, len(u.Forms))
	names := discriminator{PropertyName: u.Property, Mapping: map[string]string{}}
	for i, form := range u.Forms {
		forms[i] = registry.Schema(reflect.TypeOf(form.Body), true, "")
		names.Mapping[form.Name] = forms[i].Ref
		names.names = append(names.names, form.Name)
	}
	extensions := map[string]any{"oneOf": forms, "discriminator": names}
	return &huma.Schema{Type: huma.TypeObject, Description: u.Meaning, Extensions: extensions}
}

// Read decodes a body into a value of its form's type. The body is nil if it has no form of the union, which the
// validator reports.
func (u Union) Read(at *huma.PathBuffer, written []byte) (body any, faults []error) {
	form, ok := u.choose(written)
	if !ok {
		return nil, nil
	}
	into := reflect.New(reflect.TypeOf(form.Body))
	if err := json.Unmarshal(written, into.Interface()); err != nil {
		return nil, []error{
			&huma.ErrorDetail{
				Location: at.String(),
				Message:  undecoded + codeSeparator + "the body does not fit the operation",
			},
		}
	}
	return into.Elem().Interface(), nil
}

func (u Union) choose(written []byte) (form Form, ok bool) {
	var members map[string]json.RawMessage
	var name string
	if json.Unmarshal(written, &members) != nil || json.Unmarshal(members[u.Property], &name) != nil {
		return Form{}, false
	}
	for _, form := range u.Forms {
		if name == form.Name {
			return form, true
		}
	}
	return Form{}, false
}

// Fault is a fault of a body that only the type's own Resolve can see: a code, and a message without a full stop.
// property may be a path of several steps ("emails[3]").
func Fault(at *huma.PathBuffer, property, code, message string) error {
	// a copy: of several steps With would take back the last alone
	here := huma.NewPathBuffer([]byte(at.String()), at.Len())
	return &huma.ErrorDetail{Location: here.With(property), Message: code + codeSeparator + message}
}

// Faults returns details, whose paths are as the client wrote them, for a type's own Resolve.
func Faults(details ...problem.Detail) (faults []error) {
	for _, d := range details {
		message := d.Code + codeSeparator + strings.TrimSuffix(d.Message, ".")
		faults = append(faults, &huma.ErrorDetail{Location: d.Path, Message: message})
	}
	return faults
}

// FaultAt is a Fault at a place of a text.
func FaultAt(at *huma.PathBuffer, property, code, message string, place problem.Place) error {
	fault := Fault(at, property, code, message).(*huma.ErrorDetail)
	fault.Value = &place
	return fault
}
