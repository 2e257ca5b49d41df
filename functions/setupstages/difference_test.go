package setupstages_test

import "strings"

// difference shows where two texts part.
func difference(got, want string) string {
	if got == want {
		return "no difference"
	}
	gots, wants := strings.Split(got, "\n"), strings.Split(want, "\n")
	at := 0
	for at < min(len(gots), len(wants)) && gots[at] == wants[at] {
		at++
	}
	show := func(lines []string) string {
		return strings.Join(lines[min(max(at-3, 0), len(lines)):min(at+6, len(lines))], "\n")
	}
	return "got\n" + show(gots) + "\nwant\n" + show(wants)
}
