package web

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// A Union is a body of one of several forms, which a property of it names: {"action": "engage", …}. Huma's validator cannot look into
// a union and would say of any fault that no form fits; here the form is chosen first, and all of its faults have their paths.
//
// The type of a body that is a union keeps what was written, answers Schema as its own, and calls Read from its Resolve.
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

// Schema describes the union: to the document its forms, to huma's validator an object.
func (u Union) Schema(registry huma.Registry) *huma.Schema {
	forms, mapping := make([]*huma.Schema, len(u.Forms)), map[string]string{}
	for i, form := range u.Forms {
		forms[i] = registry.Schema(reflect.TypeOf(form.Body), true, "")
		mapping[form.Name] = forms[i].Ref
	}
	return &huma.Schema{Type: huma.TypeObject, Description: u.Meaning, Extensions: map[string]any{
		"oneOf": forms, "discriminator": map[string]any{"propertyName": u.Property, "mapping": mapping},
	}}
}

// Read reads what was written into a value of the form's type, or answers all that is wrong with it.
func (u Union) Read(at *huma.PathBuffer, written []byte) (body any, faults []error) {
	members, ok := readJSON(written).tree.(map[string]any)
	if !ok {
		return nil, nil // huma's validator has said that it is no object
	}
	form, fault := u.choose(members)
	if fault != "" {
		return nil, []error{&huma.ErrorDetail{Location: at.With(u.Property), Message: fault}}
	}
	shape := reflect.TypeOf(form.Body)
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	result := &huma.ValidateResult{}
	huma.Validate(registry, registry.Schema(shape, true, ""), at, huma.ModeWriteToServer, members, result)
	if len(result.Errors) > 0 {
		return nil, result.Errors
	}
	into := reflect.New(shape)
	if err := json.Unmarshal(written, into.Interface()); err != nil {
		return nil, []error{&huma.ErrorDetail{Location: at.String(), Message: undecoded + codeSeparator + "the body does not fit the operation"}}
	}
	return into.Elem().Interface(), nil
}

func (u Union) choose(members map[string]any) (form Form, fault string) {
	value, given := members[u.Property]
	name, text := value.(string)
	names := make([]string, len(u.Forms))
	for i, form := range u.Forms {
		if names[i] = form.Name; text && name == form.Name {
			return form, ""
		}
	}
	switch {
	case !given:
		return Form{}, "required" + codeSeparator + "the property is required"
	case !text:
		return Form{}, "type" + codeSeparator + "expected string"
	}
	return Form{}, "enum" + codeSeparator + fmt.Sprintf("expected one of %s", strings.Join(names, ", "))
}

// Fault is a fault of a body that only the type's own Resolve can see: a code, and a message without a full stop. property may be a path of
// several steps ("emails[3]").
func Fault(at *huma.PathBuffer, property, code, message string) error {
	here := huma.NewPathBuffer([]byte(at.String()), at.Len()) // a copy: of several steps With would take back the last alone
	return &huma.ErrorDetail{Location: here.With(property), Message: code + codeSeparator + message}
}
