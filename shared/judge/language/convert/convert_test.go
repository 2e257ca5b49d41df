package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"earshot/shared/judge/language/ngram"
)

// small returns a small package in the form of the real one, with each of its ways to write a key.
func small() map[string]string {
	characters := make([]string, 256)
	for i := range characters {
		characters[i] = "' '"
	}
	for b := 'a'; b <= 'z'; b++ {
		characters[b] = "'" + string(b) + "'"
	}
	characters['\''], characters[0xc3], characters[0xa9] = `'\''`, "'é'", `'"'`
	return map[string]string{
		"package.json":      `{"name": "eld", "version": "2.1.0"}`,
		"src/dictionary.js": "// comment\nexport const dictionary = [\n  " + strings.Join(characters, ", ") + "]\n",
		"src/ngrams/small.js": `export const ngramsData = {type:'S2',languages:{0:'de',1:'en'},isSubset:false,` +
			`ngrams:{' the ':{1:20},ie:{0:7,1:202},'l\'e':{0:0},'é"':{1:250},"é":{0:1}}};`,
	}
}

func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func tarball(t *testing.T, files map[string]string) string {
	t.Helper()
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	archive := tar.NewWriter(zipped)
	for name, text := range files {
		if err := archive.WriteHeader(&tar.Header{Name: "package/" + name, Mode: 0o644, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "eld.tgz")
	if err := os.WriteFile(path, packed.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestConvert(t *testing.T) {
	for kind, from := range map[string]string{"folder": folder(t, small()), "tarball": tarball(t, small())} {
		out := filepath.Join(t.TempDir(), "ngrams.bin")
		if err := run(from, out, false); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		if err := run(from, out, true); err != nil {
			t.Errorf("%s: what was just written is not what is made: %v", kind, err)
		}
		file, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		table, err := ngram.Open(string(file))
		if err != nil || table.Languages() != 2 || table.Code(0) != "de" || table.Code(1) != "en" {
			t.Fatalf("%s: %d languages, %v", kind, table.Languages(), err)
		}
		for gram, want := range map[string]string{
			" the ": "\x01\x49", "ie": "\x00\x3c\x01\xff", "l'e": "\x00\x35", "\xc3\xa9": "\x01\xff", "\xc3": "\x00\x36",
			"zzzz": "",
		} {
			hash := ngram.Basis
			for i := range len(gram) {
				hash = ngram.Add(hash, gram[i])
			}
			if _, posting := table.Find(ngram.Mix(hash)); posting != want {
				t.Errorf("%s: %q has %q, not %q", kind, gram, posting, want)
			}
		}
		file[len(file)-1]++
		if err := os.WriteFile(out, file, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := run(from, out, true); err == nil {
			t.Errorf("%s: a changed table is what is made", kind)
		}
	}
}

func TestConvert_Invalid(t *testing.T) {
	database := "src/ngrams/small.js"
	for what, change := range map[string]func(files map[string]string){
		"another package": func(
			f map[string]string) {
			f["package.json"] = `{"name": "other", "version": "2.1.0"}`
		},
		"another version": func(
			f map[string]string) {
			f["package.json"] = `{"name": "eld", "version": "2.2.0"}`
		},
		"no manifest": func(f map[string]string) { delete(f, "package.json") },
		"no n-grams":  func(f map[string]string) { f[database] = "export const x = {}" },
		"a short dictionary": func(
			f map[string]string) {
			f["src/dictionary.js"] = "export const dictionary = [' ', 'a']"
		},
		"a character that stands for no byte": func(f map[string]string) {
			f[database] = strings.Replace(f[database], "the",
				"th€", 1)
		},
		"a language that is not there": func(f map[string]string) {
			f[database] = strings.Replace(f[database],
				"{1:20}", "{2:20}", 1)
		},
		"a text without an end": func(
			f map[string]string) {
			f[database] = f[database][:strings.Index(f[database], "the")]
		},
		"an unknown escape": func(f map[string]string) {
			f[database] = strings.Replace(f[database], `\'`,
				`\x27`, 1)
		},
		"languages out of order": func(f map[string]string) {
			f[database] = strings.Replace(f[database],
				"1:'en'", "2:'en'", 1)
		},
	} {
		files := small()
		change(files)
		for kind, from := range map[string]string{"folder": folder(t, files), "tarball": tarball(t, files)} {
			if err := run(from, filepath.Join(t.TempDir(), "out.bin"), false); err == nil {
				t.Errorf("%s in a %s is converted", what, kind)
			}
		}
	}
}
