package feeds_test

import (
	"fmt"
	"testing"
)

// The names of feeds and notifications, and a feed's icon, show something in the direction that their characters have.
func TestNames_Refused(t *testing.T) {
	d := newDesk(t)
	for name, code := range map[string]string{"a\u202Eb": "pattern", "a\u200Eb": "pattern", "a\uFFFEb": "pattern",
		"a\u2028b": "pattern", "\u200B": "",
		"\u3164": "", "\u2800": ""} {
		for path, body := range map[string]string{
			"/api/v2/feeds":         fmt.Sprintf(`{"name":%q}`, name),
			"/api/v2/notifications": fmt.Sprintf(`{"name":%q,"feedId":1}`, name),
		} {
			refused := d.Post(t, path, body).Is(t, 400, "VALIDATION_ERROR")
			if len(refused.Details) != 1 || refused.Details[0].Path != "name" || code != "" && refused.Details[0].Code != code {
				t.Errorf("POST %s with the name %q = %+v, want one fault of the name", path, name, refused.Details)
			}
		}
		refused := d.Post(t, "/api/v2/feeds", fmt.Sprintf(`{"name":"a","icon":%q}`, name)).Is(t, 400, "VALIDATION_ERROR")
		if len(refused.Details) != 1 || refused.Details[0].Path != "icon" {
			t.Errorf("POST /api/v2/feeds with the icon %q = %+v, want one fault of the icon", name, refused.Details)
		}
	}
	d.Post(t, "/api/v2/feeds", "{\"name\":\"می\u200Cخواهم 👩\u200D🔬\",\"icon\":\"❤\uFE0F\"}").OK(t, nil)
}
