package dictionary

// companyStems are, by language, beginnings of words that customers and the news use of companies: what is bought,
// paid, delivered, returned, signed and cancelled; help and complaints; shops, sites, apps and outages; money, shares,
// staff, courts and mergers; and what the press writes and prints. A stem that ends with "." is a whole word. They are
// folded as judge/words folds.
var companyStems = map[string]string{
	"german": `
		abbestell abo. abonn abos. aktie. aktien aktionär anbieter angebot app. apps. arbeitsplätze artikel.
		auflage. aufsichtsrat auftrag ausgabe. ausverkauf behauptet. berichten. berichterstattung berichtet.
		beschäftigte bestell bestpreis bezahl bilanz. bonus. boulevard börse. chefredakt druckausgabe eingekauft
		einkauf enthüll entlass erstatt fernsehsender filial finanzvorstand fusion garantie gebühr gedruckt.
		gegendarstellung gehackt gekauft gekündigt gelesen. geliefert geschäftsführ gewinnwarnung gewährleist
		gründer gutschein hauptversammlung heft. hefte. hotline. händler impressum insolven interview investor
		jahresüberschuss journalist kartellamt kassenbon katalog kiosk klage. klagt. kläger kolumn konkurrent
		konto. konzern korrespondent kostenlos kostet. kulanz kunde. kunden kundin kündig leseprobe leser.
		leserbrief leserin lesern. liefer login. mahnung marken marktanteil medien. meldet. milliarde million
		mitarbeiter mitgliedschaft moderator newsletter. niederlassung onlinehandel. onlineshop paket. paketbote
		paketdienst pakete. passwort paywall preise. preiserhöhung preisliste. presse. pressemitteilung
		presserat printausgabe produkte. produktion prozent. quartal rabatt ratenzahlung rechnung redakteur
		redaktion reklam reporter retoure rückerstatt rückgabe. rückruf rücksend sammelklage schlagzeile
		schreibt. sender. sendung. service. shop. shops. sortiment sparkurs spedition stellenabbau streik.
		streiken streikt. störung support. tarif titelblatt titelgeschichte titelseite titelt. titelte
		titelthema tochterfirma umfrage umsatz umsätze umtausch unternehmen verbraucherschützer
		verbraucherzentrale verkauf. verkauft. verlag. versand. versandhandel versandhaus versandkosten vertrag
		verträge veröffentlich vorstand. vorstandschef webseite website werbespot werbung. zahlung zeitschrift
		zeitung. zeitungen. zitier zulieferer zustell übernahme. übernimmt.`,
	"french": `
		abonn achat. achats. acheter. acheté. actionnaire actions. agence. amende. annulation appli. applis.
		article. articles. assistance. bourse. boutique bénéfice caisse. catalogue chroniqueur client colis.
		commande. commandes. commandé concurrent condamné. conseiller contrat coupon. couverture. croissance.
		devis. dirigeant dépann embauch employé. employés. enseigne. entreprise expédi factur. facture fidélité.
		filiale. fondateur forfait fournisseur frais. fusion. garantie. gratuit. grève. hotline. imprimé.
		interview investisse journal. journaliste kiosque. lecteur lectrice licenciement livraison livreur.
		livré. magasin magazine. marque. marques. mensuel milliard million médias. offre. offres. paiement
		panne. pannes. patron. payer. payé. pdg. piratage. piraté. plainte. portabilité. presse. prix. procès.
		promo prélèvement pub. publicité. publie. publié. pubs. quotidien. rabais. rachat. rachète. recrut
		remboursement rembourser. remboursé. reportage reporter réclamation rédacteur rédaction réduction.
		réparation réseau. résili salarié sav. serveur. service. site. soldes. succursale suppression. tarif
		technicien titrait trimestr téléconseill usine. vendeur vente. ventes. échange. édition.`,
	"spanish": `
		abonad abono. acciones. accionista alianza. anuncian. anuncio. app. artículo. artículos. asistencia.
		atención averí beneficio. beneficios. bolsa. cajero. cancel cargo. catálogo cliente cobr columnista
		competencia. competidor. compra compré. contraseña. contrat cuenta cuota. cupones. cupón. demanda.
		descuento. despid devolución devolv directivo. distribuidor dueño. edición. empleado empresa. empresas.
		encargo. entrega. entregaron. entrevista envío. envíos. factur filial. fundador fusión. fábrica.
		ganancias. garantía. gerente. gratis. huelga. impres ingresos. inversión. inversor juicio. lector marca.
		marcas. medios. mercado. millones. multa. negocio. oferta. ofertas. operadora. pagar. pago. pagos.
		paquete. pedido. pedidos. periodista periódico. planes. portabilidad. portada. precio. precios. prensa.
		probador producto. productos. promoción publica. publicidad. publicó. pérdidas. queja. quejas. recarga.
		recibo. reclam redacción reembols repartidor reportaje reporter saldo. servicio. señal. sitio. soporte.
		sucursal talla. tallas. tarifa temporada. tienda. tiendas. titula. titular. titulares. trimestre.
		técnico. vendedor venta. ventas. web.`,
	"portuguese": `
		acionista anúncio. aplicativo app. artigo. assina assistência. atendente atendimento ações. balanço.
		bilhões. boleto. boletos. bolsa. caixa. cancel capa. cartão. catálogo cliente cobr colunista compra.
		comprar. comprei. concorrente conta. contas. contrat credor cupom. defeito. demiss demitiu. desconto.
		descontos. devolução devolver. dívida. dívidas. edição. empregado empresa. encomenda entrega. entregar.
		entrevista estorno. fatura. faturamento. faturas. fidelidade. filial. franquia. frete. funcionário
		fundador fusão. fábrica. garantia. gerente. greve. grátis. imprensa. impressa. impresso. internet.
		investidor investimento. jornal. jornalista judicial. leilão. leitor loja. lojas. lucro. manchete.
		marca. marcas. mensalidade. mercado. milhões. multa. mídia oferta. ofertas. operadora. ouvidoria.
		pacote. pagamento. pagar. paguei. pedido. pedidos. plano. planos. portabilidade. portar. prejuízo.
		preço. preços. processo. procon. produto. produtos. promoção promoções. propaganda. protocolo. publica.
		publicou. recarga. reclam redação. rede. reembols reportagem repórter revista. roteador senha. serviço.
		serviços. sinal. site. suporte. tarifa telefonia. trimestre. troca. técnico. venda. vendas. vendedor`,
	"italian": `
		abbon acquisizione. acquist amministratore. app. articolo. assistenza. azienda. aziende. azion bilancio.
		bolletta. bollette. borsa. buoni. buono. carrello. cassa. catalogo. client commess concorren consegn
		contratt copertina. corriere. costo. cronista dipendent disdett disdire. edicola. editorial edizione.
		fabbrica. fattur filiale. fondatore. fusione. garanzia. gestore. giornal gratis. guasti. guasto.
		impresa. intervist investiment investitor lettor licenzi marca. marchio. mercato. miliard milion multa.
		negozi offert operator ordine. pacco. pagament pagare. pagato. password. perdite. prezz prodott
		promozion pubblica. pubblicato. pubblicità. quotidiano. reclam redazion reporter resi. reso. ricarica.
		rimbors saldi. sciopero. scont servizio. sito. spedi stabilimento. stampa. supporto. tariff tecnico.
		trimestre. utili. vendita. vendite. venditor`,
	"dutch": `
		aanbieding aandeel. aandeelhouder aandelen. aankoop abonn app. artikel. bedrijf. bedrijven. bestel
		betaal betaling. beurs. bezorg boete. catalogus. column. columnist concern. concurrent directeur.
		fabriek. facturen. factuur. failliet filiaal. filialen. fusie. garantie. gedrukt. gehackt. gekocht.
		geleverd. gepubliceerd. gratis. hoofdredact interview investeer journalist kassa. klacht klant koop.
		kopen. korting kosten. krant. kranten. kwartaal. leveranc levering. lezer markt. medewerker miljard
		miljoen omzet. ontsla opgezegd. oprichter opzeg overname. pakje. pakket. pakketje. pers. personeel.
		prijs. prijzen. procent. product. producten. rechtszaak. reclame. redacteur redactie. rekening retour
		service. site. staking. storing tarie terugbetal topman. verkocht. verkoop. verlies. verslaggever
		verzend voorpagina. wachtwoord. webshop. website. werknemer winkel winst.`,
}
