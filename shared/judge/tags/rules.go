package tags

import "earshot/shared/mention"

// A rule lists the phrases by which people tell a topic. One strong pattern suffices, or two weak ones. One pattern
// against it outweighs the others.
type rule struct {
	tag     mention.Tag
	strong  []string
	weak    []string
	against []string
}

// What "this thing" may be called.
const (
	tool  = "tool|tools|software|app|apps|platform|solution|service|services|provider|vendor|library|framework|plugin|extension|system|crm|laptop|phone|device|product"
	thing = tool + "|it|this|them|subscription|product|model|version"
)

// rules has one entry for each topic that a text can tell.
var rules = [...]rule{
	{
		tag: "buy_intent",
		strong: []string{
			"looking for a|an|some ~ " + tool, "looking for recommendations|suggestions", "looking to buy|purchase|order|invest",
			"can|could|would anyone|someone|somebody|anybody|you [please] recommend|suggest",
			"any recommendations|suggestions|recs [for|on] ?",
			"anyone|anybody have|got [any] recommendations|suggestions ?", "recommend me a|an|some",
			"what|which ~ should i|we buy|get|choose|pick|purchase|order",
			"what|which ~ would you|u recommend|buy", "thinking of|about buying|getting|purchasing|ordering",
			"considering buying|getting|purchasing|ordering",
			"want|wanna|planning|going|about|ready|tempted to buy|purchase|order|pre|preorder", "in the market for",
			"need a|an ~ " + tool + " that|to|for|which",
			"where can|do|could i|we buy|get|order|purchase", "shut up and take my money", "take my money",
			"worth buying|getting|upgrading|purchasing ?",
			"should i|we buy|get|purchase|order|upgrade ?", "need|want to buy|purchase|order [a|an|one|some]", "pull the trigger on",
			"evaluating ~ " + tool + "|vendors|tools|options", "shopping for|around", "gonna buy|order|get",
		},
		weak: []string{
			"alternative|alternatives to ?", "best * for ?", "worth it ?", "recommendations ?", "budget|budgets of|is|under",
			"our|my shortlist",
		},
		against: []string{
			"don't|dont|never|didn't want|wanna|going to buy", "want|wants|wanted you|people|customers to buy",
		},
	},
	{
		tag: "customer_testimonial",
		strong: []string{
			"highly|strongly|definitely recommend", "would|can recommend ~ to anyone|everyone",
			"best ~ tool|product|service|app|software i've|we've used|tried|had", "saved me|us today|yesterday|again|twice|last|this",
			"best * i've|we've ever used|bought|tried|owned|had", "best ~ i|we have ever used|bought|tried|owned",
			"saved me|us ~ hours|time|money|weeks|days", "saves me|us ~ hours|time|money",
			"changed my|our life|workflow|business|work",
			"can't|cannot|couldn't live|imagine|work [working|living|life] without",
			"happy|satisfied|loyal|delighted customer|user|customers|users", "couldn't be happier",
			"so|very|really glad i|we switched|bought|found|chose|got", "best purchase|decision i|we|i've|we've", "never looked back",
			"happy with my|our purchase|" + thing,
			"i|we [absolutely|really|just] love [using] this|their|your " + tool, "five|# stars from me",
			"exceeded my|our|all expectations", "customer|user for|since ~ years",
			"been using ~ love it", "shout out to ~ support|team", "kudos to ~ support|team", "worth every penny|cent|dollar",
		},
		weak: []string{
			"i've|we've|have been using", "works like|as a|perfectly|flawlessly|great", "game changer", "i|we love it|this",
			"so easy|simple|fast", "absolutely|really love",
			"amazing|awesome|great|excellent|fantastic support|service|" + tool, "i|we switched to", "10 10",
		},
		against: []string{
			"wouldn't|not|don't|cannot|can't recommend", "used to love",
		},
	},
	{
		tag: "promotional_post",
		strong: []string{
			"use [my|our|the|promo|discount] code|coupon", "promo|discount|coupon|referral|voucher code|codes|link", "% off",
			"# percent off", "link in [my|our|the] bio", "limited time [offer|only|deal]",
			"sign up [for] [free] today|now", "get yours today|now", "shop|buy|order now|today", "start your free trial",
			"free trial today|now",
			"don't miss out", "giveaway", "dm me|us for|to", "subscribe to my|our", "affiliate link|links",
			"exclusive deal|deals|offer|offers|discount", "book a [free] demo|call",
			"flash|clearance|holiday sale", "black friday|monday deal|deals|sale", "cyber monday deal|deals|sale", "special offer",
			"free shipping", "off your first [order|purchase|month]", "while supplies last",
			"check out my|our [new|latest] channel|store|shop|site|website|course|ebook|book|newsletter|" + tool,
			"follow us|me for more", "sponsored by", "paid partnership", "contact us today|now", "visit our website|store|shop|site",
		},
		weak: []string{
			"check out", "click|tap [the|this] link|here|below", "today only", "sale", "deal|deals", "learn more", "get started",
			"free", "discount|discounts", "follow us|me", "visit us|our",
		},
		against: []string{
			"is|was there a|any ~ discount|code|sale", "anyone have ~ code|coupon",
		},
	},
	{
		tag: "industry_insights",
		strong: []string{
			"market share|size|research|analysis|forecast|report|trends|outlook",
			"according to ~ report|study|survey|analysts|research|analyst|data",
			"according to gartner|forrester|idc|mckinsey|statista|deloitte",
			"industry report|reports|trends|trend|analysis|insights|outlook|benchmark|benchmarks|survey",
			"% of companies|developers|respondents|users|consumers|businesses|marketers|teams|organizations|enterprises|people",
			"percent of companies|developers|respondents|consumers|businesses|marketers|organizations|enterprises", "year over year",
			"cagr", "new|recent|latest study|survey|research|report shows|finds|found|suggests|reveals|says",
			"market is|was expected|projected|forecast to", "benchmark|annual|quarterly report", "state of the industry",
			"industry|market|sector is|are growing|shrinking|shifting|consolidating|moving|changing",
			"industry|market|sales|revenue|shipments|adoption grew|rose|fell|dropped|jumped|declined|increased ~ %", "surveyed # ~",
			"trends for|in 2024|2025|2026|2027", "the future of ~ industry|market|sector",
		},
		weak: []string{
			"trend|trends", "analysts|analyst", "forecast|forecasts", "the industry", "adoption", "survey", "quarter", "% ~ growth",
		},
	},
	{
		tag: "hiring",
		strong: []string{
			"we're|we are|is|are|now|currently|still|actively hiring", "hiring for|a|an|now",
			"hiring [a|an] [senior|junior|lead|remote|new] engineer|developer|designer|manager|engineers|developers|intern|interns",
			"join our [growing] team",
			"job|open|new opening|openings|position|positions|role|roles [in|at|for|on]", "looking to hire",
			"looking for a|an ~ engineer|developer|designer|manager|marketer|analyst|intern to join",
			"send|submit your|ur cv|resume|résumé|application", "remote job|jobs", "job alert", "vacancy|vacancies", "apply by",
			"who is|who's hiring", "we have an opening", "come work|build with|for us", "job description|posting|offer",
			"is|are looking for a|an ~ engineer|developer|designer|manager|intern", "years of experience required|with|in",
			"join us as [a|an]",
		},
		weak: []string{
			"apply now|here|today|via", "full time", "part time", "salary", "remote", "careers", "hiring", "onsite", "visa",
		},
		against: []string{
			"hiring freeze|freezes", "stopped|stop|paused|not hiring", "hiring manager|managers|process|software|platform|tool",
		},
	},
	{
		tag: "event",
		strong: []string{
			"join us at|in|tomorrow|tonight|live",
			"join us on|this|next monday|tuesday|wednesday|thursday|friday|saturday|sunday|week|month|january|february|march|april|may|june|july|august|september|october|november|december",
			"join us for [a|an|our|the] ~ webinar|workshop|meetup|conference|session|event|talk|live|keynote|hackathon",
			"save the date", "register for|now|today ~ webinar|workshop|conference|event|session", "webinar",
			"speaking at", "i'll|we'll be at|speaking", "see you at the|our", "rsvp", "tickets are|available|for|on", "booth #",
			"find|visit|meet us at", "come see|visit|meet us", "call for papers|speakers|proposals", "hackathon",
			"our|the|a|this|next|upcoming conference|meetup|summit|workshop is|starts|will|on|in|at|next|this",
			"at this|next year's|week's|month's|year [conference|summit|meetup]", "early bird [tickets]", "live from|at the",
			"keynote at|by|speaker|speakers", "the * conference|summit|expo",
		},
		weak: []string{
			"conference", "meetup", "workshop", "summit", "keynote", "register", "see you", "speakers|speaker", "starts at # pm|am",
			"# pm|am", "tomorrow|tonight",
		},
	},
	{
		tag: "product_question",
		strong: []string{
			"how do|can|would|could|should i|we ~ ?",
			"how do|can|does you|one|it ~ set|install|configure|connect|integrate|export|import|use|fix|update|change|enable|disable|get ?",
			"does|do anyone|anybody|someone know|use|have ?",
			"anyone|anybody know how|if|why|whether|where|what|of", "is there a|any way to|for",
			"is there an option|setting|api|app|plugin|integration", "is it possible to|for",
			"does it|this|the|your|their ~ support|work|come|have|integrate|run|include|handle ?",
			"will it|this|the ~ support|work|run|come|fit ?", "can it|this ~ run|handle|do|be|export|import|connect|work ?",
			"^ can i|we ~ with|on|in|from|to|without ?", "what's|what the difference between", "what is the difference between",
			"has|have anyone|anybody [else|here|ever] tried|used|managed|gotten|figured|had|succeeded",
			"why does|doesn't|won't|can't|is|isn't my|it|this ~ ?", "what version|plan|license|format|size|settings ~ ?",
			"where do|can i|we see|set|change|download|enable|configure|export ?",
			"where do|can i|we find the|my ~ settings|setting|option|api|docs|key|button|page|file ?",
			"does * support|work|integrate|have|offer ?", "which plan|version|edition|model ~ ?",
		},
		against: []string{
			"how do|can you|we feel|know that|sleep", "how can we|you trust|expect|be",
			"how do|can i|we cancel|unsubscribe|quit|leave",
		},
	},
	{
		tag: "pricing",
		strong: []string{
			"pricing", "price|prices increase|increases|hike|hikes|drop|drops|cut|cuts|tag|point|range|went|going|is|are|was",
			"price|prices of|for the|this|that|my|our|your|their", "how much does|do|is|are|would|will|did", "cost|costs $",
			"$ [usd] per|a|an|each|every month|year|user|seat|mo|yr|week|license",
			"# dollars|euros|pounds|bucks [a|per] [month|year|user|seat]",
			"too|so|way|very|really|pretty|ridiculously|insanely [too] expensive|pricey|overpriced|cheap", "overpriced",
			"cheaper than|alternative|alternatives|option", "more|less expensive than", "free tier|plan|version",
			"paid plan|plans|tier|version", "subscription fee|fees|cost|costs|price|prices|model",
			"raised|raising|increased|increasing|lowered|doubled|hiked|raise|raises ~ price|prices|rates|fees",
			"per seat|user [per|pricing|license]",
			"worth the price|cost|money", "monthly|annual|yearly|hidden|license|licensing fee|fees|cost|costs", "value for money",
			"for [only|just] $", "$ [a] month|year", "at $", "msrp", "priced at", "the cost of", "can't|cannot afford",
			"priced [me|us] out",
		},
		weak: []string{
			"price|prices", "expensive", "cheap|cheaper", "cost|costs", "subscription", "fee|fees", "$",
		},
		against: []string{
			"share|stock price|prices|market", "price|prices target|action", "raised $", "$ [#] million|billion|m|b|bn",
			"at the cost of", "at all costs",
		},
	},
	{
		tag: "churn_intent",
		strong: []string{

			"cancel|cancelling|canceling|canceled|cancelled my|our|the|this [*] subscription|account|plan|membership|contract|service|renewal",
			"cancelling|canceling|cancelled|canceled|leaving|quitting|dropping * and moving|switching|going|migrating|moved|switched",
			"switching|moving|migrating|switched|moved|migrated away|off", "switching|moving|migrating from * to", "leaving * for",
			"i'm|we're|am|are [so|officially] done with [*]",
			"deleted|deleting|delete|closed|closing my|our [*] account", "unsubscribed|unsubscribing",
			"never using|buying|ordering|coming ~ again", "never buy|use|order|buying ~ again",
			"last time i|we|i'll|we'll use|buy|order|shop", "won't|not be renewing|renew|buying|using|coming [*]", "not renewing",
			"ditching|ditched|dumping|dumped|dropping|dropped my|our|this|them|it|their|for", "i've|we've|i|we stopped using|paying",
			"time to|i switch|leave|move|cancel|jump|ditch|look for",
			"want|wants|wanted|need|demand|demanding|asked for a|my|our [full] refund|money back", "i|we want my|our money back",
			"losing|lost me|us|a [loyal|paying] [as] [a] customer",
			"thinking of|about leaving|switching|cancelling|canceling|dropping|moving",
			"considering leaving|switching|cancelling|canceling|moving",
			"looking for an|a|another alternative|replacement|alternatives to|for",
			"ready|about|going|planning|tempted to cancel|switch|leave|ditch",
			"taking my|our business|money elsewhere", "jumping ship", "how do|can|to i|we cancel", "goodbye *",
			"as soon as my contract|subscription",
		},
		weak: []string{
			"alternative|alternatives to", "fed up with", "last straw", "had enough", "enough is enough", "competitor|competitors",
			"switch to", "cancel",
		},
		against: []string{
			"goodbye to", "don't|never leave|cancel", "say|said|says goodbye", "cancel anytime", "no contract",
		},
	},
	{
		tag: "launch_announcement",
		strong: []string{
			"i|we [have] just|recently|finally launched|shipped|released|published|open",
			"we've|i've [just] launched|shipped|released",
			"excited|thrilled|proud|happy|pleased|delighted to announce|launch|introduce|release|unveil|reveal", "^ introducing",
			"^ announcing", "^ show hn", "^ launch hn", "today we're|i'm launching|releasing|announcing|introducing|open|shipping",
			"today we are launching|releasing|announcing|introducing|open|shipping",
			"is|are now [publicly|generally] available|live|open", "launching today|tomorrow|soon|next|this|on",
			"launches|unveils|releases|introduces|announces|debuts|rolls [out] [its|a|an|the|new|first] ~ new|first|latest|beta|version|update|feature|support",
			"on product hunt", "general|generally availability|available", "is|are out now|today", "now in public|open|private beta",
			"public beta",
			"# [is] released", "released version", "version # is out|released|here|available|now", "meet our new|newest", "we're live",
			"just dropped our|a|the|their new",
			"launched|released its|our|a|the|my [new] [first] [ios|android|web] version|app|tool|product|site|beta|feature|game",
			"we are|we're launching",
		},
		weak: []string{
			"launch", "new feature|features|version|release|product", "now available", "early access", "coming soon", "changelog",
			"release notes",
		},
		against: []string{
			"rocket|missile|missiles|satellite|attack|investigation|lawsuit|probe launched|launch",
			"launched|launches|launching an|a investigation|attack|lawsuit|probe|missile|rocket|war",
		},
	},
	{
		tag: "bug_report",
		strong: []string{
			"found|there's|hit|hitting|got|reported|filed|seeing a|another|this [*] bug", "there is|there's a [*] bug",
			"is|are|seems|it's|still [completely|totally|still|now] broken",
			"keeps crashing|freezing|failing|disconnecting|logging|restarting|hanging|stuttering",
			"crashes|crash|crashed|crashing when|on|every|after|if|whenever|at|randomly|constantly|again",

			"doesn't|doesnt|won't|wont|didn't|isn't|not|don't [even] work|working|load|loading|open|opening|start|starting|sync|syncing|connect|connecting|respond|responding|charge|charging anymore|properly|correctly|after|since|whenever|when",
			"won't|wont|doesn't|isn't [even] load|loading|sync|syncing|connect|connecting|respond|responding|turn|charge|charging",
			"app|site|website|button|login|page|feature|update|search|link|export|import|api|plugin|extension|it|this doesn't|doesnt|won't|isn't|not work|working",
			"is not working|loading|syncing|responding|connecting", "stopped working|syncing|loading|responding",
			"getting|get|got|throws|throwing|gives|gave|returns|returning|see|seeing an|a|this|the ~ error|exception|errors",
			"been down [again|for|since|all]", "is|are|it's|still down again|for|since|right", "is|are * [*] down ?",
			"went down again|for|since|this|last", "can't|cannot|couldn't log|login|sign|connect|upload|download",
			"unable to log|login|sign|connect|load|open|upload|download", "steps to reproduce", "stack trace|traceback",
			"memory leak|leaks", "segfault|segfaults|segfaulting", "segmentation fault",
			"500|404|503|502|403|504 error|errors", "freezes|froze|hangs|hung when|every|after|on|whenever|at",
			"anyone|anybody else [is] having|experiencing|getting|seeing|have|facing ~ issue|issues|problem|problems|trouble|error|errors|bug|crash|crashes|this",
			"having issues|problems|trouble with|logging|connecting", "black|white|blue screen of|when|after|on", "null pointer",
			"error code|message", "fails to|with|on|when", "lost all my|our data|photos|files|work|progress",
			"broke my|our|the|after|when", "is|are [so|very|extremely|super] buggy",
		},
		weak: []string{
			"bug|bugs", "crash|crashes|crashed", "glitch|glitches|glitchy", "after the [latest|last|new|recent] update",
			"latest|last|new|recent update", "regression", "workaround", "reproduce|reproducible", "error", "broken",
		},
		against: []string{
			"bug bounty", "stock|market|car|plane crash|crashes|crashed", "bed bugs|bug", "trial and error", "human error",
		},
	},
	{
		tag: "user_feedback",
		strong: []string{
			"i|we [really|just] wish|wished [that] it|they|you|there|the|this|we|i",
			"would|it'd|that'd be [so|really|very] nice|great|cool|awesome|helpful|useful|better if|to",
			"feature request|requests|suggestion", "please add|bring|support|implement|consider",
			"please fix|make|let|allow|give|keep it|the|this|that|your|us|users|people",
			"my [only] [honest] feedback|suggestion|complaint|gripe|criticism",
			"only thing|problem|downside|complaint|issue|gripe [is|i|with|that|for|missing]",
			"i|we don't|dislike|hate [like] the|that|how|this [new]",
			"new ui|design|update|interface|layout|version|look is|feels|looks|sucks",
			"could be [a] [lot|bit|much] better|improved|faster|easier|simpler|clearer", "not a [big|huge] fan of",

			"ui|ux|interface|app|layout|onboarding|documentation|docs|design is|are|feels|looks ~ confusing|clunky|slow|ugly|terrible|awful|intuitive|clean|clear|beautiful|polished|outdated|cluttered|great|horrible|smooth",
			"should add|support|allow", "you|they should [really] add|support|let|allow|bring|make|offer|have",
			"some|quick|honest feedback on|for|about|after",
			"what i|we like|liked|love|loved|dislike|miss [most|about|is]",
			"needs a|an|better|more [*] dark|mode|option|setting|settings|feature|documentation|docs|support|search|filter|filters",
			"i|we like|love how|that|the [new]", "missing [a] [*] feature|features|option", "user experience is|was|has",
			"too complicated|confusing|slow|cluttered|complex to|for|and",
		},
		weak: []string{
			"feedback", "suggestion|suggestions", "pros", "cons", "usability", "improve|improved|improvement|improvements",
			"intuitive", "clunky|confusing",
		},
		against: []string{
			"wish you|them|us a|all|the|happy|luck", "would|your feedback on|is welcome|appreciated",
			"love|loved|appreciate|welcome|want|need|any|your|give|leave [to] [hear|your] feedback",
		},
	},
	{
		tag: "ai_generated",
		strong: []string{
			"as an ai [language|assistant|model]", "as a large language model", "i'm|i am [just|only] an ai",
			"i cannot|can't fulfill|assist with that|this", "^ certainly here's|here|below", "^ sure here's|here is|are",
			"here's|here is a|the|your ~ rewritten|revised|polished|rephrased version",

			"post|article|image|text|video|song|content|answer|comment|summary|story|thread|art|picture|reply was|is [entirely|fully|completely|partly|automatically] generated|written|created|made|drafted by|with|using [an] ai|chatgpt|gpt|claude|gemini|midjourney|llm|copilot",
			"generated|written|created|made|drafted by|with|using chatgpt|midjourney|dall|gpt|claude|gemini",
			"my knowledge cutoff|cut", "regenerate response", "ever evolving|changing landscape", "rich tapestry",
			"let's delve|dive into the", "in today's fast|ever|digital [paced|evolving|changing] [world|landscape|age]",
		},
		weak: []string{
			"delve|delves|delving", "unlock|unlocking|unleash|unleashing the|your [full] power|potential", "seamless|seamlessly",
			"it's important|worth to|noting [note]", "in conclusion", "elevate|elevating your", "embark|embarking on", "testament to",
			"navigate|navigating the complexities", "supercharge your", "harness|harnessing the power",
		},
		against: []string{
			"sounds|looks|feels|seems like chatgpt|ai",
		},
	},
}
