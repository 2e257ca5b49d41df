// Command train makes the sentiment classifier's tables from labelled texts, a lexicon and the tones of words. Every run
// makes the same bytes:
//
//	go run ./shared/judge/sentiment/train [-check] [-dev] [-sequences] [-data ../shared/data]
//
// phrases.bin comes from phrases.tsv here. lexicon.bin comes from models/vader_lexicon.tsv below the data's folder and
// from emoji.tsv here. tones.bin comes from tones.tsv.gz here, which tones.py makes. english.bin and others.bin are the
// classifiers for English and for the other languages of the tones. Both learn from
// sentiment/goemotions_3class_train.tsv below the data's folder, from the training part of package rated, and from
// service.txt here. net.bin, which judges English beside its classifier, is the one table that this command does not
// make: net.py here does. With -check it writes nothing and fails if the files in the tree differ. With -dev it prints the
// recalls and the reliability on the dev parts, by which the settings are tuned. With -sequences it prints what a net
// reads of each line of its input: hexadecimal hashes with blanks between them.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"earshot/shared/judge/sentiment/feature"
	"earshot/shared/judge/sentiment/rated"
)

func main() {
	data := flag.String("data", cmp.Or(os.Getenv("DATA_DIR"), "../shared/data"), "folder of the data")
	out := flag.String("o", "shared/judge/sentiment", "folder of the tables")
	check := flag.Bool("check", false, "compare with the tables instead of writing them")
	dev := flag.Bool("dev", false, "judge the dev parts instead of writing the tables")
	ask := flag.Bool("sequences", false, "print what a net reads of the input's lines instead of writing the tables")
	flag.Parse()
	var err error
	if *ask {
		err = sequences(*data, os.Stdin, os.Stdout)
	} else {
		err = run(*data, *out, *check, *dev)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(data, out string, check, dev bool) error {
	lexicon, err := lexicon(filepath.Join(data, "models", "vader_lexicon.tsv"))
	if err != nil {
		return err
	}
	tones, err := tones(toneLines)
	if err != nil {
		return err
	}
	phrases, err := phrases(phraseLines)
	if err != nil {
		return err
	}
	var tables feature.Tables
	if tables.Lexicon, err = feature.OpenLexicon(string(lexicon)); err != nil {
		return err
	}
	if tables.Tones, err = feature.OpenTones(string(tones)); err != nil {
		return err
	}
	if tables.Phrases, err = feature.OpenPhrases(string(phrases)); err != nil {
		return err
	}
	samples, err := training(data)
	if err != nil {
		return err
	}
	files := map[string][]byte{"lexicon.bin": lexicon, "tones.bin": tones, "phrases.bin": phrases}
	for name, s := range map[string]settings{"english.bin": english, "others.bin": others} {
		files[name] = learn(samples, extract(&tables, samples, s), s).file()
	}
	if dev {
		net, err := os.ReadFile(filepath.Join(out, "net.bin"))
		if err != nil {
			return err
		}
		if tables.Net, err = feature.OpenNet(string(net)); err != nil {
			return err
		}
		return judgeDev(data, &tables, files)
	}
	for name, file := range files {
		if err := keep(filepath.Join(out, name), file, check); err != nil {
			return err
		}
	}
	return nil
}

// training returns the texts to learn from.
func training(data string) ([]sample, error) {
	samples, err := readSamples(filepath.Join(data, "sentiment", "goemotions_3class_train.tsv"))
	if err != nil {
		return nil, err
	}
	texts, err := rated.English()
	if err != nil {
		return nil, err
	}
	for _, t := range texts {
		if t.Part == rated.Train {
			samples = append(samples, sample{t.Class, t.Text})
		}
	}
	samples = append(samples, politeCopies(samples)...)
	written, err := service(servicePatterns)
	return append(samples, written...), err
}

func keep(path string, file []byte, check bool) error {
	if !check {
		return os.WriteFile(path, file, 0o644)
	}
	held, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !bytes.Equal(held, file) {
		return fmt.Errorf("%s differs from what the data makes", path)
	}
	fmt.Printf("%s is what the data makes: %d bytes\n", path, len(file))
	return nil
}

// sequences prints the hashes of what a net reads of each line.
func sequences(data string, in io.Reader, out io.Writer) error {
	file, err := lexicon(filepath.Join(data, "models", "vader_lexicon.tsv"))
	if err != nil {
		return err
	}
	var tables feature.Tables
	if tables.Lexicon, err = feature.OpenLexicon(string(file)); err != nil {
		return err
	}
	lines, printed := bufio.NewScanner(in), bufio.NewWriter(out)
	for lines.Scan() {
		for i, hash := range feature.Sequence(&tables, lines.Text()) {
			if i > 0 {
				printed.WriteByte(' ')
			}
			fmt.Fprintf(printed, "%x", hash)
		}
		printed.WriteByte('\n')
	}
	return errors.Join(lines.Err(), printed.Flush())
}

func extract(t *feature.Tables, samples []sample, s settings) []feature.Vector {
	vectors := make([]feature.Vector, len(samples))
	for i, x := range samples {
		feature.Extract(t, feature.English, s.scope, x.text, s.bits, &vectors[i])
	}
	return vectors
}
