// Package match finds the keywords of all workspaces that a post matches ("What matches" in the contract, and its
// global filters). Compile makes a Matcher of all keywords. Match folds a post once and passes over it once, however
// many keywords there are. A Matcher is immutable and safe for concurrent use, and Match is linear in the post's text,
// even if that is hostile. Packages that collect, ingest or sample posts import it. It imports only the domains of
// posts and keywords.
//
// # Texts
//
// Title and body both count, each by itself: no match spans them. Texts, keywords, terms and exclusions are brought to
// one normal form. All rules below apply to that form:
//
//   - Bytes that are not UTF-8 are U+FFFD. A post may have them, a keyword may not.
//   - Invisible characters are removed: Unicode's Default_Ignorable_Code_Point (joiners, soft hyphens, marks of
//     direction, variation selectors, fillers, tags) and the skin tones of emoji. The zero width space is removed too,
//     but a word may end at it: "ac\u200bme" and "see\u200bacme" both have the word "acme".
//   - Composed and decomposed letters are equal (NFC). Of the compatibility forms (NFKC), full and half width forms and
//     the letters and digits of mathematics become plain. Others stay, so that "Acme™" has the word "Acme" and not
//     "AcmeTM".
//   - Curly apostrophes and the modifier letter become the straight apostrophe.
//   - The hyphen and the no-break hyphen become the hyphen-minus. Dashes stay.
//   - A run of white space becomes one blank, and a keyword has none at its ends.
//   - Case folds by Unicode's full folding (CaseFolding.txt, C and F: "ß" is "ss", "ς" is "σ"). It does not fold for a
//     keyword that minds case, nor for its terms and exclusions. Accents count.
//   - Turkish: a post's language is unknown, so "I" is "i" and "ı" is another letter, as by default in Unicode. But the
//     dot that "İ" leaves over an "i" is dropped: "İstanbul", "i\u0307stanbul", "istanbul" and "ISTANBUL" are equal.
//
// # A keyword
//
// Without ExactMatch a keyword occurs wherever its text does. With ExactMatch it occurs
//
//   - as a whole word or whole words: where UAX #29 has a word boundary at both ends. This is to the letter, so that
//     Korean particles, Hebrew prefixes and "l'acme" make other words, "acme_x" is one word, and Chinese has a boundary
//     everywhere. The signs of "C++", ".NET", "#acme" and "@acme" count: "C++11" has "C++", "ASP.NET" does not have
//     ".NET".
//     A full stop between letters is no boundary either: "Clojure.spec" does not have "clojure", "react.js" does not
//     have "react". A boundary there would leave the contract's rule for few posts: 12,000 titles of Hacker News and
//     47,891 comments of Reddit match 3,291 brands' names 18,918 times, and would match 36 times more. Of these 15 are
//     right. The others are ends of hosts ("kernel.org" for the brand Org) and files, and sentences without a blank. A
//     boundary behind the word alone finds the same 15, but 102 times more once the titles have their links. Of 55 of
//     these that were read, 14 are right. The others are mostly hosts: "itunes.apple.com" is a link to any app. A
//     keyword of its own ("clojure.spec"), or one without ExactMatch, finds such names.
//   - as a possessive: an apostrophe, an s and then a boundary follow. ("James'" has a boundary already.)
//   - as a whole @handle, with or without Bluesky's domain behind it: "@AcmeCloud", "@acme_cloud" and "@acme-cloud" for
//     "Acme Cloud". A letter, digit, underline, hyphen or plus before the @ makes it an e-mail address, which has no
//     handle.
//   - in its own domain: as the label of a host's name that was registered below a public suffix (the ICANN section of
//     publicsuffix.org), "docs.acme.co.uk" for "acme" and "acme-cloud.io" for "Acme Cloud". A keyword that is a domain
//     also occurs in hosts below it. Hosts need no scheme. Hosts with letters beyond ASCII end where words do.
//
// Handles and labels write names without blanks, or with hyphens or underlines for blanks. They leave out . , & ! ' :
// and ·, and may leave out the accents of Latin letters: "Node.js" is nodejs.org, "AT&T" is @att, "Nestlé" is
// nestle.com. A name that has other signs, or begins with a sign, has no such form.
//
// # The rest of a rule
//
//   - AdditionalTerms: any or all must occur, as a keyword with the same options would, anywhere in title or body, even
//     within the keyword itself.
//   - ExcludeWords: whole words and phrases, never handles, domains or possessives. WildcardExcludeWords: beginnings of
//     words, with or without the asterisk. ExcludeAuthors: handles, folded, with or without @ or u/.
//   - Blank terms and exclusions are ignored. Platforms: keyword.Admits; none means all.
//   - Filters apply to all keywords of a workspace. NegativeKeywords are whole words whose case always folds.
//     NegativeAuthors are as ExcludeAuthors. NegativeSubreddits exclude subreddits. PositiveSubreddits narrow posts on
//     Reddit only, and exclude posts of an unknown subreddit. NegativeRepos name a repository or an owner.
//
// # How
//
// Equal phrases of all keywords are one. A filter that fits a processor's cache rejects nearly every place in a text as
// the beginning of a phrase. An Aho-Corasick automaton is walked from the other places. A keyword's other conditions
// are checked once its text is found.
package match
