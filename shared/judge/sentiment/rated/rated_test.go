package rated

import "testing"

// Every part has all classes, and no text is in two parts.
func TestParts(t *testing.T) {
	for name, read := range map[string]func() ([]Text, error){"english": English, "languages": Languages} {
		texts, err := read()
		if err != nil {
			t.Fatal(err)
		}
		parts := map[string]Part{}
		classes := map[Part][3]int{}
		for _, x := range texts {
			if held, ok := parts[x.Text]; ok && held != x.Part {
				t.Errorf("%s: %q is in %s and %s", name, x.Text, held, x.Part)
			}
			parts[x.Text] = x.Part
			count := classes[x.Part]
			count[x.Class]++
			classes[x.Part] = count
		}
		for _, part := range []Part{Dev, Test} {
			for class, n := range classes[part] {
				if n < 40 {
					t.Errorf("%s: %s has %d texts of class %d, want 40", name, part, n, class)
				}
			}
		}
	}
}

func TestParse_Malformed(t *testing.T) {
	for _, line := range []string{"dev\ttweets\t1\n", "dev\ttweets\t3\ttext\n", "dev\ttweets\t\ttext\n", "\n"} {
		if _, err := parse(line); err == nil {
			t.Errorf("parse(%q) succeeds, want an error", line)
		}
	}
}
