package site_test

import (
	"slices"
	"testing"

	"earshot/shared/proposal/site"
)

// A word that begins as the company's name does, with a capital of its own behind it, is a product's wherever the
// company's own texts say it. A compound with a common noun, and what somebody else says, are none.
func TestProducts_Coinages(t *testing.T) {
	for body, want := range map[string][]string{
		`<p>KelpDB is an open-source database that keeps each parcel of a year in a file.</p>`:      {"KelpDB"},
		`<p>Straighter parcels in six months with WayAlign, our own in-house service, from 20.</p>`: nil, // three letters are chance
		`<ul><li><h2>KelpFast</h2><p>By air.</p></li><li><h2>KelpSlow</h2><p>By sea.</p></li></ul>`: {"KelpFast",
			"KelpSlow"},
		`<h2>Our Kelpway-AirCheck</h2><p>Before each parcel leaves, we look at it: Kelpway-AirCheck.</p>`: {
			"Kelpway-AirCheck"},
		`<h2>The Kelpway-Team</h2><p>Each parcel is in the hands of the Kelpway-Team, day and night.</p>`: nil,
		`<blockquote><p>We moved to KelpDB from another one, and nobody has noticed it.</p></blockquote>`: nil,
		`<p>Each parcel is followed with ParcelDB, which another company has made for us.</p>`:            nil,
	} {
		page := site.Page{URL: "https://kelpway.com/", HTML: []byte(
			`<html lang="en"><title>Kelpway – cold logistics</title><h1>Kelpway</h1>` + body + `</html>`)}
		if got := site.Profile(page, "kelpway.com").Products; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

// A model's number ends its name, where its page's path ends with it too: what follows says what the thing is.
func TestProducts_Models(t *testing.T) {
	const grid = `<header><a href="/cart">Cart</a></header><h2>Favourites</h2><ul>` +
		`<li><h3><a href="/products/corvane-42">Corvane 42 Hiking Backpack</a></h3><span>$289.00</span></li>` +
		`<li><h3><a href="/products/mothwing-2p">Mothwing 2P Trekking Pole Tent</a></h3><span>$415.00</span></li>` +
		`<li><h3><a href="/products/linen">Linen Shirt</a></h3><span>$45.00</span></li></ul>`
	page := site.Page{URL: "https://kelpway.com/", HTML: []byte(
		`<html lang="en"><title>Kelpway</title><p>We make tents and backpacks for those who walk far.</p>` + grid +
			`</html>`)}
	got := site.Profile(page, "kelpway.com").Products
	for _, want := range []string{"Corvane 42", "Mothwing 2P"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q has no %s", got, want)
		}
	}
	if slices.Contains(got, "Linen") || len(got) > 3 {
		t.Errorf("%q", got)
	}
}

// A table of editions has a product in each row, and one that compares has others' too.
func TestProducts_Table(t *testing.T) {
	for rows, want := range map[string][]string{
		`<tr><td><b>KelpwayDB</b><td>Free<tr><td>Kelpway Cloud<td>from $29<tr><td>Support<td>Ask us`: {"KelpwayDB",
			"Kelpway Cloud"},
		`<tr><td>Kelpway Fast<td>2.4<tr><td>GlobexDB<td>0.9<tr><td>InitechDB<td>0.7`: nil,
	} {
		page := site.Page{URL: "https://kelpway.com/", HTML: []byte(`<html lang="en"><title>Kelpway</title>` +
			`<h2>Three ways</h2><table><tr><th>Edition<th>Price` + rows + `</table></html>`)}
		if got := site.Profile(page, "kelpway.com").Products; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", rows, got, want)
		}
	}
}

// A sentence that names a thing and says that it is the company's own tells of a product. A person may be the company's
// own too.
func TestProducts_Apposed(t *testing.T) {
	for body, want := range map[string][]string{
		`<p>Threadvane, our linking engine, finds what belongs to each parcel and draws it.</p>`: {
			"Threadvane"},
		`<p>Marjorie, our founder, finds what belongs to each parcel and draws it by hand.</p>`:                  nil,
		`<p>Each parcel is followed with Globex, our platform partner, and we count it by hand.</p>`:             nil,
		`<p>Globex has an engine, our competitors have one, and each parcel is counted by hand.</p>`:             nil,
		`<blockquote><p>Threadvane, our linking engine, did not find what Kelpway finds today.</p></blockquote>`: nil,
	} {
		page := site.Page{URL: "https://kelpway.com/", HTML: []byte(
			`<html lang="en"><title>Kelpway – cold logistics</title><h1>Kelpway</h1>` + body + `</html>`)}
		if got := site.Profile(page, "kelpway.com").Products; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}
