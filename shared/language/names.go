package language

// An entry gives a code, or another name, its language's name.
type entry struct{ code, name string }

// codes are the codes of ISO 639-1, sorted, with four that it has withdrawn (in, iw, ji, mo). Names are the standard's
// English ones, cut to the one word in common use ("Spanish; Castilian" is spanish).
var codes = [...]entry{
	{"aa", "afar"}, {"ab", "abkhazian"}, {"ae", "avestan"}, {"af", "afrikaans"}, {"ak", "akan"}, {"am", "amharic"},
	{"an", "aragonese"}, {"ar", "arabic"}, {"as", "assamese"}, {"av", "avaric"}, {"ay", "aymara"}, {"az", "azerbaijani"},
	{"ba", "bashkir"}, {"be", "belarusian"}, {"bg", "bulgarian"}, {"bi", "bislama"}, {"bm", "bambara"}, {"bn", "bengali"},
	{"bo", "tibetan"}, {"br", "breton"}, {"bs", "bosnian"}, {"ca", "catalan"}, {"ce", "chechen"}, {"ch", "chamorro"},
	{"co", "corsican"}, {"cr", "cree"}, {"cs", "czech"}, {"cu", "church slavonic"}, {"cv", "chuvash"}, {"cy", "welsh"},
	{"da", "danish"}, {"de", "german"}, {"dv", "divehi"}, {"dz", "dzongkha"}, {"ee", "ewe"}, {"el", "greek"},
	{"en", "english"}, {"eo", "esperanto"}, {"es", "spanish"}, {"et", "estonian"}, {"eu", "basque"}, {"fa", "persian"},
	{"ff", "fulah"}, {"fi", "finnish"}, {"fj", "fijian"}, {"fo", "faroese"}, {"fr", "french"}, {"fy", "western frisian"},
	{"ga", "irish"}, {"gd", "scottish gaelic"}, {"gl", "galician"}, {"gn", "guarani"}, {"gu", "gujarati"}, {"gv", "manx"},
	{"ha", "hausa"}, {"he", "hebrew"}, {"hi", "hindi"}, {"ho", "hiri motu"}, {"hr", "croatian"}, {"ht", "haitian creole"},
	{"hu", "hungarian"}, {"hy", "armenian"}, {"hz", "herero"}, {"ia", "interlingua"}, {"id", "indonesian"},
	{"ie", "interlingue"}, {"ig", "igbo"}, {"ii", "sichuan yi"}, {"ik", "inupiaq"}, {"in", "indonesian"}, {"io", "ido"},
	{"is", "icelandic"}, {"it", "italian"}, {"iu", "inuktitut"}, {"iw", "hebrew"}, {"ja", "japanese"}, {"ji", "yiddish"},
	{"jv", "javanese"}, {"ka", "georgian"}, {"kg", "kongo"}, {"ki", "kikuyu"}, {"kj", "kuanyama"}, {"kk", "kazakh"},
	{"kl", "kalaallisut"}, {"km", "khmer"}, {"kn", "kannada"}, {"ko", "korean"}, {"kr", "kanuri"}, {"ks", "kashmiri"},
	{"ku", "kurdish"}, {"kv", "komi"}, {"kw", "cornish"}, {"ky", "kyrgyz"}, {"la", "latin"}, {"lb", "luxembourgish"},
	{"lg", "ganda"}, {"li", "limburgish"}, {"ln", "lingala"}, {"lo", "lao"}, {"lt", "lithuanian"}, {"lu", "luba-katanga"},
	{"lv", "latvian"}, {"mg", "malagasy"}, {"mh", "marshallese"}, {"mi", "maori"}, {"mk", "macedonian"},
	{"ml", "malayalam"}, {"mn", "mongolian"}, {"mo", "romanian"}, {"mr", "marathi"}, {"ms", "malay"}, {"mt", "maltese"},
	{"my", "burmese"}, {"na", "nauru"}, {"nb", "norwegian"}, {"nd", "north ndebele"}, {"ne", "nepali"}, {"ng", "ndonga"},
	{"nl", "dutch"}, {"nn", "norwegian"}, {"no", "norwegian"}, {"nr", "south ndebele"}, {"nv", "navajo"},
	{"ny", "chichewa"}, {"oc", "occitan"}, {"oj", "ojibwa"}, {"om", "oromo"}, {"or", "odia"}, {"os", "ossetian"},
	{"pa", "punjabi"}, {"pi", "pali"}, {"pl", "polish"}, {"ps", "pashto"}, {"pt", "portuguese"}, {"qu", "quechua"},
	{"rm", "romansh"}, {"rn", "rundi"}, {"ro", "romanian"}, {"ru", "russian"}, {"rw", "kinyarwanda"}, {"sa", "sanskrit"},
	{"sc", "sardinian"}, {"sd", "sindhi"}, {"se", "northern sami"}, {"sg", "sango"}, {"si", "sinhala"}, {"sk", "slovak"},
	{"sl", "slovenian"}, {"sm", "samoan"}, {"sn", "shona"}, {"so", "somali"}, {"sq", "albanian"}, {"sr", "serbian"},
	{"ss", "swati"}, {"st", "southern sotho"}, {"su", "sundanese"}, {"sv", "swedish"}, {"sw", "swahili"}, {"ta", "tamil"},
	{"te", "telugu"}, {"tg", "tajik"}, {"th", "thai"}, {"ti", "tigrinya"}, {"tk", "turkmen"}, {"tl", "tagalog"},
	{"tn", "tswana"}, {"to", "tongan"}, {"tr", "turkish"}, {"ts", "tsonga"}, {"tt", "tatar"}, {"tw", "twi"},
	{"ty", "tahitian"}, {"ug", "uyghur"}, {"uk", "ukrainian"}, {"ur", "urdu"}, {"uz", "uzbek"}, {"ve", "venda"},
	{"vi", "vietnamese"}, {"vo", "volapük"}, {"wa", "walloon"}, {"wo", "wolof"}, {"xh", "xhosa"}, {"yi", "yiddish"},
	{"yo", "yoruba"}, {"za", "zhuang"}, {"zh", "chinese"}, {"zu", "zulu"},
}

// second are the codes whose language has another, which ISO gives.
var second = [...]string{"in", "iw", "ji", "mo", "nb", "nn"}

// others are further names in common use.
var others = [...]entry{
	{"bahasa indonesia", "indonesian"}, {"bahasa melayu", "malay"}, {"bangla", "bengali"},
	{"brazilian portuguese", "portuguese"}, {"cantonese", "chinese"}, {"castilian", "spanish"},
	{"chinese (simplified)", "chinese"}, {"chinese (traditional)", "chinese"}, {"dari", "persian"}, {"farsi", "persian"},
	{"fil", "tagalog"}, {"filipino", "tagalog"}, {"flemish", "dutch"}, {"frisian", "western frisian"},
	{"gaelic", "scottish gaelic"}, {"haitian", "haitian creole"}, {"kirghiz", "kyrgyz"}, {"mandarin", "chinese"},
	{"modern greek", "greek"}, {"moldavian", "romanian"}, {"moldovan", "romanian"}, {"myanmar", "burmese"},
	{"norwegian bokmal", "norwegian"}, {"norwegian bokmål", "norwegian"}, {"norwegian nynorsk", "norwegian"},
	{"oriya", "odia"}, {"panjabi", "punjabi"}, {"pushto", "pashto"}, {"simplified chinese", "chinese"},
	{"sinhalese", "sinhala"}, {"slovene", "slovenian"}, {"sorani", "kurdish"}, {"traditional chinese", "chinese"},
	{"uighur", "uyghur"}, {"valencian", "catalan"},
}
