package language_test

import (
	"slices"
	"strings"
	"testing"

	"earshot/shared/judge/language"
	names "earshot/shared/language"
	"earshot/shared/mention"
)

func detector(t testing.TB) *language.Detector {
	t.Helper()
	d, err := language.New()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// One sentence for each language of the table.
var sentences = map[string]string{
	"amharic":     "ዛሬ ከጓደኞቼ ጋር ወደ ገበያ ሄጄ ነበር",
	"arabic":      "هذا التطبيق ممتاز وقد ساعدني كثيرا في عملي",
	"azerbaijani": "Bu proqram çox yaxşıdır və işimdə mənə kömək edir",
	"basque":      "Gaur goizean lagunekin mendira joan gara eta oso ondo pasatu dugu",
	"belarusian":  "Сёння мы хадзілі ў лес і бачылі шмат прыгожых птушак",
	"bengali":     "আমি আজ বন্ধুদের সাথে বাজারে গিয়েছিলাম",
	"bulgarian":   "Днес бяхме на пазар и купихме пресни плодове и зеленчуци",
	"catalan":     "Aquest matí hem anat al mercat amb els nostres amics i ha estat molt bé",
	"chinese":     "这个应用程序非常好用，我每天都在工作中使用它",
	"croatian":    "Jučer smo išli na tržnicu i kupili svježe voće i povrće",
	"czech":       "Dnes jsme byli na trhu a koupili jsme čerstvé ovoce a zeleninu",
	"danish":      "Jeg har brugt programmet i flere år og er meget glad for det",
	"dutch":       "Ik gebruik dit programma al jaren en ben er heel tevreden over",
	"english":     "I have been using this app for years and I am very happy with it",
	"estonian":    "Täna käisime sõpradega turul ja ostsime värskeid puuvilju",
	"finnish":     "Olen käyttänyt tätä ohjelmaa vuosia ja olen siihen erittäin tyytyväinen",
	"french":      "J'utilise cette application depuis des années et j'en suis très content",
	"georgian":    "დღეს მეგობრებთან ერთად ბაზარში ვიყავი",
	"german":      "Ich benutze dieses Programm seit Jahren und bin sehr zufrieden damit",
	"greek":       "Σήμερα πήγαμε στην αγορά και αγοράσαμε φρέσκα φρούτα",
	"gujarati":    "આજે હું મારા મિત્રો સાથે બજારમાં ગયો હતો",
	"hebrew":      "היום הלכתי עם החברים שלי לשוק וקנינו פירות טריים",
	"hindi":       "मैं आज अपने दोस्तों के साथ बाजार गया था और बहुत मज़ा आया",
	"hungarian":   "Évek óta használom ezt a programot, és nagyon elégedett vagyok vele",
	"armenian":    "Այսօր ընկերներիս հետ գնացինք շուկա",
	"icelandic":   "Ég hef notað þetta forrit í mörg ár og er mjög ánægður með það",
	"italian":     "Uso questa applicazione da anni e ne sono molto soddisfatto",
	"japanese":    "このアプリは毎日の仕事でとても役に立っています",
	"kannada":     "ನಾನು ಇಂದು ನನ್ನ ಸ್ನೇಹಿತರೊಂದಿಗೆ ಮಾರುಕಟ್ಟೆಗೆ ಹೋಗಿದ್ದೆ",
	"korean":      "이 앱은 매일 업무에 아주 유용하게 사용하고 있습니다",
	"kurdish":     "ئەمڕۆ لەگەڵ هاوڕێکانم چووین بۆ بازاڕ",
	"lao":         "ມື້ນີ້ຂ້ອຍໄປຕະຫຼາດກັບໝູ່ຂອງຂ້ອຍ",
	"latvian":     "Šodien mēs ar draugiem bijām tirgū un nopirkām svaigus augļus",
	"lithuanian":  "Šiandien su draugais buvome turguje ir nusipirkome šviežių vaisių",
	"malay":       "Saya telah menggunakan aplikasi ini selama bertahun-tahun dan sangat berpuas hati",
	"malayalam":   "ഞാൻ ഇന്ന് എന്റെ സുഹൃത്തുക്കളോടൊപ്പം ചന്തയിൽ പോയി",
	"marathi":     "आज मी माझ्या मित्रांसोबत बाजारात गेलो होतो आणि खूप मजा आली",
	"norwegian":   "Jeg har brukt dette programmet i mange år og er veldig fornøyd med det",
	"odia":        "ମୁଁ ଆଜି ମୋର ସାଙ୍ଗମାନଙ୍କ ସହିତ ବଜାରକୁ ଯାଇଥିଲି",
	"persian":     "امروز با دوستانم به بازار رفتیم و میوه تازه خریدیم",
	"polish":      "Używam tego programu od lat i jestem z niego bardzo zadowolony",
	"portuguese":  "Uso este aplicativo há anos e estou muito satisfeito com ele",
	"punjabi":     "ਮੈਂ ਅੱਜ ਆਪਣੇ ਦੋਸਤਾਂ ਨਾਲ ਬਾਜ਼ਾਰ ਗਿਆ ਸੀ",
	"romanian":    "Folosesc această aplicație de ani de zile și sunt foarte mulțumit de ea",
	"russian":     "Я пользуюсь этим приложением уже много лет и очень доволен",
	"albanian":    "Sot shkuam në treg me miqtë dhe blemë fruta të freskëta",
	"serbian":     "Јуче смо ишли на пијацу и купили свеже воће и поврће",
	"slovak":      "Dnes sme boli na trhu a kúpili sme čerstvé ovocie a zeleninu",
	"slovenian":   "Danes smo bili na tržnici in kupili sveže sadje in zelenjavo",
	"spanish":     "Uso esta aplicación desde hace años y estoy muy contento con ella",
	"swedish":     "Jag har använt det här programmet i flera år och är mycket nöjd med det",
	"tagalog":     "Pumunta kami sa palengke kasama ang aking mga kaibigan kanina",
	"tamil":       "நான் இன்று என் நண்பர்களுடன் சந்தைக்குச் சென்றேன்",
	"telugu":      "నేను ఈ రోజు నా స్నేహితులతో కలిసి మార్కెట్\u200cకు వెళ్ళాను",
	"thai":        "วันนี้ฉันไปตลาดกับเพื่อนๆ และซื้อผลไม้สดมาเยอะมาก",
	"turkish":     "Bu uygulamayı yıllardır kullanıyorum ve çok memnunum",
	"ukrainian":   "Сьогодні ми ходили на ринок і купили свіжі овочі та фрукти",
	"urdu":        "میں آج اپنے دوستوں کے ساتھ بازار گیا تھا اور بہت مزہ آیا",
	"vietnamese":  "Hôm nay tôi đi chợ với bạn bè và mua rất nhiều trái cây tươi",
	"yoruba":      "Mo lọ sí ọjà pẹ̀lú àwọn ọ̀rẹ́ mi ní òní",
}

func TestDetect_EveryLanguage(t *testing.T) {
	d := detector(t)
	if known := d.Names(); len(known) != 60 || !slices.IsSorted(known) {
		t.Errorf("%d languages, sorted %v", len(known), slices.IsSorted(known))
	}
	for _, name := range d.Names() {
		if _, ok := names.ISO(name); !ok {
			t.Errorf("a filter cannot ask for %s", name)
		}
		text, ok := sentences[name]
		if !ok {
			t.Errorf("no sentence in %s", name)
			continue
		}
		for _, written := range []string{text, "\u200f" + text, strings.ToUpper(text),
			"https://t.co/a1B2 @someone 🎉 " + text + " 12345 ✨"} {
			if got := d.Detect(written); got != name {
				t.Errorf("%s: %q is %s", name, written, got)
			}
		}
	}
}

func TestPosts(t *testing.T) {
	d := detector(t)
	for _, c := range []struct{ rule, text, want string }{
		{"nothing", "", mention.Undetermined},
		{"blanks", " \t\r\n\u00a0\u3000", mention.Undetermined},
		{"digits and signs", "12345 -- 67.8 %%% !!!", mention.Undetermined},
		{"emoji", "🎉🔥❤️👩‍👩‍👧 🇩🇪", mention.Undetermined},
		{"invalid UTF-8", "\xff\xfe\x80\xc3(", mention.Undetermined},
		{"NUL and controls", "\x00\x01\u200e\u200f\ufeff", mention.Undetermined},
		{"an address", "https://www.spiegel.de/wirtschaft/unternehmen/", mention.Undetermined},
		{"an address without its scheme", "WWW.lemonde.fr/economie/article", mention.Undetermined},
		{"handles", "@el_pais @corriere @derspiegel", mention.Undetermined},
		{"an e-mail address", "anna.schmidt@beispiel.example", mention.Undetermined},
		{"domains and file names", "lefigaro.fr index.html", mention.Undetermined},
		{"codes", "abc123 x86_64 __init__ utf8mb4 9f86d081884c7d65", mention.Undetermined},
		{"one Latin word that is no English", "Hund", mention.Undetermined},
		{"two Latin words", "muy bueno", "spanish"},
		{"two English words", "Bang Control", "english"},
		{"an English word like Estonian", "seal", "english"},
		{"a name alone", "Sweaterify", mention.Undetermined},
		{"one Greek word", "Καλημέρα", "greek"},
		{"one Korean word", "감사합니다", "korean"},
		{"one Thai word", "ขอบคุณมาก", "thai"},
		{"English in two words", "Thank you", "english"},
		{"an archive's address", "das ist ja toll http", "german"},
		{"a repost", "RT @someone: das ist ja toll", "german"},
		{"English hashtags", "Endlich wieder zu Hause #MondayMotivation #love #travel", "german"},
		{"hashtags alone", "#GoodMorning #everybody #sunshine", "english"},
		{"hashtags in another script", "#おはようございます", "japanese"},
		{"English words in German", "Mein Meeting zum Launch der App ist cancelled", "german"},
		{"Spanish without accents", "la version en espanol de esta pagina", "spanish"},
		{"Portuguese beside Spanish", "não sei se você vai gostar disso", "portuguese"},
		{"short Hindi", "की प्रशंसा होने के", "hindi"},
		{"short Marathi", "आम्ही तेथे होतो आणि", "marathi"},
		{"short Hindi without a function word", "अवश्य प्राप्त हो", "hindi"},
		{"a title with names", "Show HN: Acme, a Golang CMS for PostgreSQL", "english"},
		{"a title with a code", "How we moved x86_64 builds to arm64 in 2024", "english"},
		{"contractions", "don’t think it's what they'd want, wouldn't you?", "english"},
		{"an address in a Chinese text", "这个工具非常好用https://example.com/path/to/it我每天都用", "chinese"},
		{"an address in a Spanish text", "Me gusta mucho este artículo https://www.theguardian.com/this/is/the/english/title",
			"spanish"},
		{"invalid UTF-8 between words", "das ist \xff\xfe wirklich ein \xc3 sehr gutes Programm", "german"},
		{"full stop without a blank", "Ich bin sehr zufrieden.Das Programm ist wirklich gut", "german"},
		{"a language before another", "Das ist ein deutscher Satz, der lang genug ist.\n\nthanks", "german"},
	} {
		if got := d.Detect(c.text); got != c.want {
			t.Errorf("%s: %q is %s, not %s", c.rule, c.text, got, c.want)
		}
	}
}

// Only the beginning is read, so a long text costs no more than its first words.
func TestDetect_LongText(t *testing.T) {
	d := detector(t)
	german := strings.Repeat(sentences["german"]+". ", 10)
	for _, c := range []struct{ rule, text, want string }{
		{"words", german + strings.Repeat(sentences["french"]+" ", 1500), "german"},
		{"no blanks", strings.Repeat("这个应用程序非常好用", 3500), "chinese"},
		{"one word", strings.Repeat("a", 100<<10), mention.Undetermined},
		{"signs only", strings.Repeat("!?", 50<<10), mention.Undetermined},
		{"an address only", "https://" + strings.Repeat("der-die-das/", 8<<10), mention.Undetermined},
		{"handles before words", strings.Repeat("@someone ", 40) + german, "german"},
	} {
		if got := d.Detect(c.text); got != c.want {
			t.Errorf("%s: %s, not %s", c.rule, got, c.want)
		}
	}
}

func TestDetect_NoAllocation(t *testing.T) {
	d := detector(t)
	for name, text := range sentences {
		if n := testing.AllocsPerRun(20, func() { d.Detect(text) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func FuzzDetect(f *testing.F) {
	for _, text := range sentences {
		f.Add(text)
	}
	for _, text := range []string{"", "@", "'", "’’a", "www.", "http://", "a.b", "\xff", "a_", "https:", "é.b@c"} {
		f.Add(text)
	}
	d := detector(f)
	known := append(d.Names(), mention.Undetermined)
	f.Fuzz(func(t *testing.T, text string) {
		got := d.Detect(text)
		if !slices.Contains(known, got) {
			t.Errorf("%q is %q", text, got)
		}
		if again := detector(t).Detect(strings.Clone(text)); again != got {
			t.Errorf("%q is %s, then %s", text, got, again)
		}
	})
}
