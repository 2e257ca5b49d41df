package dictionary

// siteStems are, by language, beginnings of words that companies' pages say of anything: verbs that promise and that
// tell readers what to do, numerals, measures of time, praise, what every product and company is called, and the words
// that hold sentences together and that FunctionWords of shared/text leaves out. A stem that ends with "." is a whole
// word. One that begins with "-" ends words of what "we" do. They are folded as judge/words folds.
var siteStems = map[string]string{
	"german": `
		acht. achtzehn. alles. anbiet andere. anderen. arbeit. arbeiten. ausprobier. ausserdem. automatisch
		begleit beim. bereits. besser beste betrieb. biet brauch bring dabei. dafür. damit. dank. daten. dein.
		deine deshalb. digital. digitale. digitalen. digitaler. drei. dreissig. dreizehn. eigene einfach eins.
		elf. endlich. entdeck entwickeln. entwickelt. erfahren. erhalten. erhält. erleb ermöglich erste firma.
		firmen. funktion fünf. fünfzehn. fünfzig. ganz. ganze gegen. gemeinsam. gestalte. gestalten. gewinn.
		grosse. grossen. gute hat. helfen. hilf hundert ihnen. ihre. ihrem. ihrer. ihres. immer. individuell
		intuitiv jahr. jahre. jahren. jede jetzt. kein kinderleicht kleine. kleinen. kleiner. komplett kostenlos
		kunde. kunden. kundinnen. könnt lassen. leicht. leistung. lösung mach mehr. mensch milliarde million
		minute moderne monat möglich mühelos müssen. nachhaltig nehmen. neu. neue neun. neunzehn. nutze. nutzen.
		nutzer. nutzern. nutzt. nähe. ohne. online. optimal optimier perfekt persönlich plattform produkt.
		produkte. produkten. qualität rund. schnell sechs. sechzehn. seinen. seiner. seit. sicher sieben.
		siebzehn. sofort. software. sogar. sorgen. sorgt. sowie. spar start stunde system tag. tage. tagen.
		tausend team. teams. technologie tool. tools. unser. unsere unternehm unterstütz verbesser verbind
		verdien verein vermeid vertrau verwalt viel vier. vierzehn. vierzig. weltweit. wenig werkzeug wichtig
		wir. woche woll womit. während. zehn. zeigen. zeit. zuverlässig zwanzig. zwei. zwölf. überall.`,
	"french": `
		accompagn accueil accès. achet afin. aide. ainsi. amélior an. année ans. application. applications.
		apport assure. assurer. assurons. aucun. aujourd aussi. autour. autre avant. beau. besoin. besoins. bien.
		bon. bonne celle. celui. cent. centaines. ceux. chaque. choisi chos cinq. cinquante- cinquante. clic.
		clics. client. cliente clients. collabor comment. complet connect contact. contactez. conç créer. créez.
		créé. depuis. dernier deux. différent digital. digitale. dix. dizaines. donn dont. douze. dès. découvr
		dédié développ efficac encore. ensemble. entre. entreprise essayer. essayez. facile facilit faire. fait.
		faites. fonctionnalité fournir fournit gagn garantir garantit gens. grand gratuit groupe. grâce. gère.
		gérer. gérez. géré heure huit. ici. idéal innovant internet. intuiti jour. journée jours. juste.
		l'entreprise. leader. lequel. lesquel leur. ligne. logiciel lors. lorsque. maintenant. meilleur mettez.
		mettre. mille. milliard millier million minute moderne moindre. moins. mois. monde. moyen neuf. nombreu
		notre. nouveau. nouveaux. nouvel numérique obten offr onze. optimis outil ouvrez. ouvrir. parfait partir.
		partout. permet personnes. petit peut. peuvent. plateforme plein. plusieurs. possib pouv premi prendre.
		prenez. produit. produits. professionnel profitez. propos puissant qualité quand. quarante- quarante.
		quatorze. quatre. quel quinze. quotidien. rapide recev rejoign rend retrouv réalis réduire. réduisez.
		réussi sans. seize. selon. semaine sept. service. services. seul simpl six. société soixante. solution
		souhait suivez. suivre. système sécurisé technologie temps. toujours. tous. tout. toute. travail travers.
		treize. trente- trente. trois. trouv unique. utilis vie. vingt- vingt. vite. vivre. voir. voulez.
		vraiment. vôtre. équipe. équipes. êtes. être.`,
	"spanish": `
		-amos -emos -imos acceso. aconsej actual además. ahora. ahorr ahí. algo. alguno algún. alto. amplia
		aplicaci apoy app. aprend aprovech aquel aquí. asegur así. aument aunque. automátic ayud año. años. bien.
		buen busc cada. calidad. cambia. cambiar. casi. catorce. cerca. cercan cien. cient cinco. cincuenta.
		clic. clics. cliente complet comunidad. conect confiable. confiar. confía. confían. conoc conseguir.
		consig contact contigo. cosa crea. crear. crec cual. cualquier cuando. cuarenta. cuatro. cuida. cómo.
		cómod dar. das. datos. deja. demás. desarroll descubr desde. dicho. diecinueve. dieciocho. diecisiete.
		dieciséis. diez. diferent digital diseñ disfrut dispon doce. docenas. dos. durante. día. días. efectiv
		eficaz. eficient elegir. elig empez empresa encontr encuentr equipo. equipos. eres. esa. escog eso. esos.
		estamos. están. estás. excelen experienci facil forma. formas. funcion fácil gana. ganar. garanti gente.
		gestion gracias. gran gratis. gratuit grup hace. hacemos. hacer. haciendo. hasta. haz. herramienta hora.
		horas. hoy. ideal impuls incluso. incluy increíble innova inteligent intuitiv llega. llev logr lugar.
		líder maner mano. mejor menos. mes. meses. mientras. mil. miles. millon minuto moderno mucha mucho mundo.
		máximo necesari necesit negocio. negocios. ningun ningún. nosotros. nuestr nuev ocho. ofrec onlin optimiz
		otra. otras. otro. otros. pequeña. pequeñas. pequeño. pequeños. permit persona plataform poco. pocos.
		prime prob profesional propia. propias. propio. propios. pued quier quince. quinienta quiniento realiz
		recibe. recibir. reduc resultado rápid sabe. segura. seguro. según. seis. semana sencill servicio.
		servicios. siempre. siendo. siete. simple. simplific sino. sistem software. solo. soluci somos. soporte.
		sólo. también. tanto. tecnolog tiempo. tiene. tienen. toda todo. trabaj través. trece. treinta. tres.
		tus. usar. usuario utiliz varios. veces. veinte. vez. vida. vive. vuestr única. único.`,
	"portuguese": `
		-amos -emos -imos acess ainda. ajud algo. algum alta. além. ano. anos. apenas. aplicativo aprend aproveit
		aqui. assim. atrav aument automátic baixe. bem. boa. bom. busc cada. catorze. cem. centen cento. cinco.
		cinquenta. cliente clique. cliques. coisa com. começ como. completa completo conect confia. confiança.
		confie. conheç conosco. consegu conta. contat cria. criar. cuida. dados. deix demais. descubr desde.
		desenvolve. dez. dezanove. dezasseis. dezasset dezena dezoito. dia. dias. diferent digital disponí dois.
		doze. duas. durante. duzent eficaz. eficien empresa encontr enquanto. entre. equipa. equipe escolh essas.
		esses. estamos. estar. estão. evit experiênc facil faz. fazemos. fazer. feito. ferrament fica. forma.
		funcion fáci ganh garant gente. gerenci gerir. gestã grande gratuit grupo. grátis. hoje. hora. horas. há.
		ideal. impulsion inclu inovad inteligent intuitiv isso. isto. jeito. junto. leva. líder. maior. maneira.
		melhor menos. meses. mesmo. mil. milhar milhõ minuto modern muita muitos. mundo. máximo. mês. necess
		negócio. negócios. nenhum nossa. nosso. nova. novas. nove. novo. novos. nunca. obten ofere oito. onde.
		online. onze. otimiz outra. outras. outro. outros. para. passo pelas. pelos. pequena. pequenas. pequeno.
		pequenos. perfeit permit personaliz perto. pessoa plataform pode. poder. poderos possí pouc precis
		primeir produto profissional própria próprio qual. qualidade. qualquer. quarenta. quatro. quer. quinhent
		quinze. realiz receb reduz resultad rápid segundo. segura. seguras. seis. semana sempre. serviço.
		serviços. sete. seus. simple simplific sistem sobre. software. solu somos. suas. sucess tanto. tecnolog
		temos. tempo. tenh ter. teu. toda todos. trabalh treze. trinta. três. tudo. têm. usar. usuário utiliz
		varias. vez. vezes. vida. vinte. você. vocês. vários. ágil. única. único.`,
	"italian": `
		-iamo accedi. accesso. aiut alcun allo. altr ancora. anni. anno. applicazion attraverso. aument automatic
		avere. bene. bisogn buon cambia. centinaia. cento. cerc cinquanta. cinque. client colleg comod complet
		con. conosc contatt cosa cose. così. crea. creare. creiamo. crescere. da. dagli. dai. dall. dati. decine.
		degli. dello. desider diec digital diver dodici. dopo. dove. due. duecento. durante. efficac efficient
		esperienz essere. facil fai. fare. fatto. forni funzion garant gestion gestire. gestisci. giornata.
		giorni. giorno. già. grand gratis. gratuit grazie. gruppo. ideal impres inizi innovativ insieme. intuitiv
		invece. lavor leader. loro. maggior mano. massim meglio. meno. mentre. mese. mesi. mette. metti. mezzo.
		migliaia. miglior miliard milion mille. minut modern modo. molt mondo. negli. nello. nessun nostr nove.
		nuov offr oggi. ogni. oltre. onlin ore. otten ottim otto. ovunque. partire. passo. perfett permett
		personalizz persone. piattaform piccol poss. possibil posson potent potere. prendi. presso. prim prodott
		profession prova. provare. puoi. può. qualit qualsiasi. quarant quattordici. quattro. quell quest quindi.
		quindici. rapid realizz ricev ridu risparmi risultat riusc scegli. scopr sedici. sei. semplic sempre.
		senza. servizi sette. settiman siamo. sicura. sicuri. sicuro. sistem software. solo. soluzion sono.
		sotto. stato. strumenti. strumento. sue. sugli. suoi. supporto. svilupp tant tecnolog tempo. tieni. tre.
		trecento. tredici. trenta. trov tua. tue. tuo. tuoi. tutt undici. unic usa. usare. utent utilizz vari
		venti. vero. vicin vita. vivi. voglia. vost vuoi.`,
	"dutch": `
		aanbied aangebod acht. al. alle. alles. altijd. andere. app. applicatie automatisch bedrij begeleid
		beheer beheren. beide. bent. beschikba bespaar besparen. best. beste. beter. betrouwba bied breng
		compleet daarom. dag. dagen. dankzij. data. dertien. dertig. dichtbij. digita direct. doe. doen. drie.
		duidelijk. duizend duurza eenvoudig eerste. efficiënt eigen. elf. elk. elke. enige. ervaar ervaring.
		functie gaan. gebruik geef. geeft. gehele. gemak geven. gewoon. goed grati groep. groot. grote. haal.
		halen. handig heel. hele. help hem. hen. hierdoor. honderd houden. hulp. hun. ideaal. iedere innovati
		jaar. jaren. jou. jouw. jullie. kies. kiezen. klaar. klant klein. kleine. krachtig. krachtige. krijg
		kunnen. kunt. kwaliteit laat. laten. leer. leven. maak. maakt. maand maken. makkelijk meer. meest meten.
		miljoen. minder. minste. minu modern moeten. mogelijk moment. naast. negen. nieuw nodig. nooit. onder.
		ondernem ondersteun onlin ons. ontdek ontwikkel onze. oplossing optima organisat overal. paar. passen
		perfect platform probeer product. producten. professione reeds. regel resultat ruim. samen. service.
		simpel slim snel. software. staan. start steeds. stel. sturen. succes. systeem. systemen. team. teams.
		techniek. technologie. tien. tientallen. tijd. tijdens. toe. toegang. tool. tools. tussen. twaalf. twee.
		twintig. uniek uur. uw. veel. veertien. veertig. veilig. veilige. verbeter verbind verdien verkrijg
		vertrouw via. vier. vijf. vijftien. vijftig. vind. vinden. vol. volg volledig voordel vraag. waar.
		waardoor. waarmee. week weet. weken. wel. wereld. werk wie. wij. wil. willen. zaken. zelf. zes. zestien.
		zeven. zij. zoals. zoek zonder. zorg zowel.`,
	"polish": `
		-jemy -szymy -żymy -ować -ywać aby. aplikacj automaty bardz bezpieczn bezpłat blisko. byś. będzie. będą.
		całej. całk cały. chce chwil codzien czas. czasu. czternaście. cztery daj. dają. dane. danych. darmow
		dnia. dniu. dobr dodatk dostarcz dostęp dowiedz duże. dużych. dwa. dwadzieścia dwanaście. dwie.
		dwudziestu. dwóch. dziesięciu. dziesięć. dziewięć. dzień. dzięki. dziś. efektywn firm gdy. gdzie. godzin
		gotow ich. idealn inne. innowac innych. intuicyjn jakoś jeden. jedenast jedno jednym. jego. jesteś
		jeszcze. każd kilka. kilku. klienci. klient klik kompleks kompletn korzyst kształc która. które których.
		którym. lat. lata. lepsz ludz mają. mamy. małe. małych. małym. milion min. minut. minuty. mln. mnie.
		może. możesz. najlep najwię nam. nami. naprawd narzędz nas. nasz natychm nawet. nich. nim. nowa. nowe.
		nowy. nowych. od. ofer onlin oprogram osiem. osob oszczęd osób. oto. pewn pierwsz piętnaście. pięć
		platform pod. podcz polec pomag pomoc ponad. ponieważ. popraw potrzeb potężn powyżej. pozwal praca.
		pracy. pracę. produkt profesjon prost prowadz przed. przez. przy. próbuj rok. roku. rozwoju. rozwój. rynk
		równ różn setk sieb siedem. skorzyst sobie. sprawdź. sprawia. stał sto. stu. swoich. swoim. swoje. swój.
		system. systemy. sześć. szybk technolog tego. tej. ten. teraz. trzech. trzy. trzydziestu. trzynaście.
		twoj tworzy. tworzymy. tworzyć. twój. tych. tydzień. tygod tysiąc tysięcy. unik usług ułatw użytk używ
		warto. wasz wiel więc. więcej. wspier wszys wybierz. wygod wyjątk wysok własn właśnie. zapewn zarządz
		zaufa zawsze. zdob zespoł zespół. znajd zobacz. zysk łatw łącz świat. świata. świecie. życi`,
	"swedish": `
		alla. allt. andra. använd app. arbet att. automatisk bara. behov behöv bland. bli. blir. bra. bäst
		bättre. både. börja. dag. dagar. data. dessa. detta. digital dina. ditt. dra. du. effektiv egen. eget.
		egna. eller. enkel enkla. era. erbjud ett. fem. femtio. finns. fler. flera. flest fram. fri. fungera
		fyra. få. får. följ för. före. företag första. ge. genom. ger. gott. gratis. grupp gå. går. gör. göra.
		hantera har. hela. helt. hitta. hittar. hjälp hundra hög. höga. högt. idag. in. inga. ingen. innovativ
		inom. intuitiv jobb kan. klar. klick. komm komplett kund kunna. kvalitet liten. litet. liv. livet. lär.
		lätt låt. låter. lösning med. mellan. mer. mest. miljon mindre. minut modern mycket. människ månad
		många. möjlig nio. nu. ny. nya. nytt. när. nära. någon något. oavsett. också. olika. online. orden.
		oss. perfekt person plats. plattform precis produkt professionell program. prova. på. redan. resultat
		rätt. samla. sammans samt. se. sedan. sex. sin. sina. sitt. sju. själv ska. skap skulle. slipp smart
		smidig små. snabb som. spara. sparar. stor. stora. stort. stöd. stöder. system. säker. säkert. säkra.
		sätt. tack. team. teknik. tid. tiden. till. tillsammans. timm tio. tiotals. tjugo. tjänst tre. trettio.
		trygg tusen två. under. unik upp. upptäck utan. utveckl vara. varje. vecka veckor. verksamhet verktyg.
		vi. viktig vill. väl. välj. väljer. världen. vår. våra. vårt. än. ännu. är. även. år. åt. åtta. öka.
		över.`,
	"turkish": `
		-yorum -yoruz adım. aile. akıllı altı. ama. anda. anlık. arasında. artık. artır ay. aynı. ayrıca. az.
		basit bazı. başarı başka. başla beş. bile. bin. binden. bine. binlerce. biri. birlikte. birçok. biz.
		bize. bizim. boyunca. bugün. bul. buluş bunu. bunun. böyle. bütün. büyük. daha. dahil. dakika. deneyim
		destek dijital. diğer. dokuz. dolayı. doğru. dört. düny edebilir eden. ederek. edilen. edin. ediyoruz.
		elde. elli. en. et. etkili. etmek. fark fazla. firma geliş gerek gerçek. getir. gibi. gör. göre. gün.
		günde. günlük. güven güçlü. hafta hakkında. hala. hangi. hayat hem. hemen. hep. herkes hizmet hiç. hızl
		ihtiyaç iki. ilk. imkan internet. istedi iyi. için. içinde. iş. işler. işletme kadar. kalite kapsamlı.
		karşı. kazan kendi keşfet kolay konu kullan kurum küçük. lider. lütfen. milyon modern mükemmel müşteri
		nasıl. ne. neden. olan. olarak. olma olsun. olur. oluştur on. onlar online. ortak. otomatik otuz. para.
		pek. platform pratik. profesyonel proje. saat sadece. sahip. saniye sayesinde. sayı sağla sağlıyor.
		sekiz. senin. sistem size. sizi. sizin. son. sonra. sorun. sunar. sunuyor. süre. sürekli. tam. tasarruf
		tek. teknoloji tüm. ulaşın. uygulama uygun. var. ve. veri. verimli. veya. yapan. yapar. yapay. yapmak.
		yapın. yapıyor. yardım yazılım yaşam. yedi. yeni. yenilikçi. yer. yeterli. yirmi. yok. yol. yönet
		yöntem yüksek. yüz. yüzde. yüzlerce. yıl. yıldır. oluyoruz. yıllık. yılı. zaman zaten. zor. çalış çözüm çünkü.
		özel. özellik. özgür ücretsiz. ürün üzere. üzerinde. üzerinden. üç. şekilde. şey. şimdi. şirket`,
	"czech": `
		-eme -áme -íme aby. abychom. abyste. ale. anebo. aplikac automatick až. bez. bezpečné. bezpečný.
		bezpečně. bude. budete. by. byl. byla. bylo. být. celou. celé. celý. ceník. chce. chcete. co. dalš den.
		denně. deset desítky. devět. dne. dnes. dní. do. dobr dobře. dokonal dokáž dost. dostupn dosáh dva.
		dvacet. dvě. díky. efektiv firem. firm funkc hned. ho. hodin. hodinu. hodiny. i. ideál inovat intuitiv
		jak. jako. jaké. je. jeden. jediné. jedn jej. jejich. jejím. jen. jenom. ještě. jich. jim. jiné. již.
		jsem. jsme. jsou. jste. k. každ kde. kdo. když. klient komplet komplex krok. kter kvalit lepší. let.
		letech. lidem. lidé. lidí. lépe. mají. malá. malé. malí. malých. malým. mezi. milion minut mnoh moc.
		modern možn má. máme. máte. místo. měsíc. měsíce. může. můžeme. můžete. na. nabíz nad. najdete. naše.
		našich. našim. ne. nebo. nechte. nejlep nejvě není. než. nic. nová. nové. nový. nových. nám. nástroj
		náš. o. ochran od. on. onlin osm. ovlád padesát. plat po. pod. podpor pohodl pomoc. pomocí. pomáh
		potřeb pouze. použ pracov pro. produkt profesionál prost proto. protože. prvn práce. práci. pět. před.
		přes. přesně. při. přináš připoj rok. roku. roky. rychl s. samozřejm se. sedm. si. skvěl služb snadn
		softwar společně. spousta. spravovat. spravujte. sta. stačí. sto. stovky. stále. svou. své. svým. svět.
		svůj. systém tak. také. takže. tam. technolog ten. tento. ti. tisíc to. toho. tohoto. tomu. tu. ty.
		této. tím. týden. týdne. týdně. tým. týmy. těch. tři. třicet. u. ukaž umožní. umožň unikát ušetř už.
		uživatel v. vaše. ve. velk vlastn vy. vyber vytvoř vytvář využ vyzkouš vám. vás. váš. více. výhod výkon
		výsled vědět. vše. všech všem. vždy. z. za. zajist zajišť zdarma. ze. zjednoduš zlepš způsob zvlád
		zákazn získ úspěš čas. často. času. čtyři. šest. šetř škál že. život. života.`,
	"danish": `
		alle. alt. altid. andre. anvend app. arbejd at. automatisk bedre. bedst behov bliv brug. bruge. bruger.
		brugere. bruges. både. dag. dage. data. de. dem. den. der. deres. det. dette. dig. digital din. dine.
		dit. du. effektiv egen. eget. egne. eller. en. enhver. enkel enkle. er. et. fem. find. finde. firma
		flere. for. fordel fra. fuld fungere få. får. før. første. gennem. gode. godt. gratis. gruppe. gør.
		gøre. ham. han. har. hele. helt. hjælp. hjælpe. hjælper. hun. hundred hvad. hver. hvis. hvor. hvordan.
		hvornår. højt. i. ideel. ikke. ind. ingen. innovativ intuitiv jer. jeres. jo. job. kan. klar. klik.
		komplet kun. kunde kvalitet lad. lav. lave. let. levere. lidt. ligger. lille. liv. løsning man. mange.
		med. meget. mellem. men. mens. mere. mest. million mindre. minut mod. modern mulig måned nem. nemme.
		nemt. ni. noget. nogle. nu. ny. nye. nyt. når. og. også. om. online. op. opdag os. otte. over.
		overblik. perfekt person plads. platform produkt professionel prøv på. resultat rigtig samarbejd samle.
		samme. samt. se. seks. selskab selv service. sig. sikker. sikkert. sikre. simpel sin. sine. skabe.
		skaber. skal. smart små. som. spare. sparer. start stor styre. styrer. støtte. system. systemer. syv.
		så. team. teknologi ti. tid. til. tilbyd tilfred time. timer. tjen to. tre. tusind tværs. tyve. uanset.
		uden. udvikl uge. uger. under. unik ved. verden. vi. vigtig vil. virksomhed vores. vort. vælg værd.
		være. år. øge.`,
	"norwegian": `
		alle. alltid. alt. andre. app. arbeid at. automatisk bare. bedre. bedrift behov best bli. blir. bruk.
		bruke. bruker. brukere. både. dag. dager. data. de. deg. dem. den. der. deres. det. dette. digital din.
		dine. ditt. du. effektiv egen. eget. egne. eller. en. enhver. enkel enkle. er. et. fem. finn. finne.
		firma flere. for. fordel fra. full fungere få. får. før. første. gjennom. gjør gode. godt. gratis.
		gruppe. ha. han. har. hele. helt. hjelp. hjelpe. hjelper. hun. hundre hva. hver. hvis. hvor. hvordan.
		i. ideell. ikke. ingen. inn. innovativ intuitiv jobb kan. klar. klikk. komplett kun. kunde kvalitet la.
		lag. lage. lager. lett. leverer. lite. litt. liv. løsning man. mange. med. mellom. men. mens. mer.
		mest. million mindre. minutt modern mulig mye. måned ni. noe. noen. ny. nye. nytt. nå. når. og. også.
		om. online. opp. oppdag oss. over. oversikt. perfekt person plass. plattform produkt profesjonell prøv
		på. resultat riktig samme. sammen. samt. se. seg. seks. selskap selv sikker. sikkert. sin. sine. skal.
		skape. skaper. smart små. som. spare. sparer. start stor styre. styrer. støtte. system. systemer. syv.
		så. team. teknologi ti. tid. til. tilby time. timer. tjen tjue. to. tre. trygg tusen uansett. uke.
		uker. under. unik uten. utvikl ved. velg verden. verktøy vi. viktig vil. virksomhet vår. våre. vårt.
		være. år. åtte. øke.`,
	"finnish": `
		-mme aika. aikaa. ainutlaatui ajan. alle. alust asiakas. asiakka auta. auttaa. auttavat. edulli ei.
		eikä. ennen. ensi eri. erinomai esimerkiksi. että. hallita. hallitse haluat. heidän. helpo helppo.
		helppoa. heti. hyvä hän. ideaali ihmi ilmai ilman. itse. ja. jo. joissa. joka. jokai jolla. jonka. jos.
		joten. jotka. jotta. juuri. kahde kaikk kaksi. kanssa. kasvaa. kautta. kehitt kerran. keskus. kohti.
		koko. kolme. korkea kuin. kuitenkin. kun. kuukau kuusi. kymmen käyttä käyttö käytä laadu laatu.
		lisäksi. lisää. luo. luoda. luotetta löydä löyty maailma me. meidän. meillä. mikä. miljoona milloin.
		minuut missä. miten. moderni monet. moni. mukaan. mukana. mutta. muut. myös. neljä. niiden. niin. nopea
		nyt. näin. ohjelmisto oikea olemme. oleva olla. oma. omaa. oman. on. ovat. paljon. palvelu paras.
		paremm parhaa pienet. pieni päivä ratkaisu saada. saat. sadat. sata. satoja. se. seitsemän. sekä. sen.
		siis. sinu sitä. sovellu suoraan. suure suuri säästä tai. tarjoa tarvit te. tee. tehdä. tehok teidän.
		tekn tiimi tuhan tuhat tuki. tulo tunte tunti. tuote tuott turvalli työ. työn. tämä. tätä. täydelli
		uude uusi. uusia. vaan. vain. valit varten. viikko. viiko viisi. voi. voit. voivat. vuoden. vuodessa.
		vuosi. yhde yhteis yksi. yksinkertai yli. yrity äly.`,
}
