package main

import (
	"strings"

	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/workspace"
)

// A sense is what one customer means by an ambiguous name. terms are what a customer who means another sense of the name
// would exclude. The profiles are those of infra/quality/senses. The terms were written before anything was measured
// with them.
type sense struct {
	name, class, description, audience, products, terms string
}

var senses = []sense{
	{
		name: "apple", class: "0",
		description: "Apple designs smartphones, personal computers, tablets and watches, with their operating " +
			"systems, and sells music, apps and services online.",
		audience: "Consumers, students and creative professionals",
		products: "iPhone,iPad,MacBook,iTunes,Apple Watch",
		terms:    "computer,smartphone,software,iPhone,Macintosh,company,store,device,Microsoft,Jobs",
	},
	{
		name: "apple", class: "1",
		description: "A family orchard that grows fruit and presses cider, juice and cider vinegar.",
		audience:    "Families, bakers and restaurants",
		products:    "Cider Vinegar,Fruit Boxes",
		terms:       "fruit,tree,orchard,juice,cider,pie,cultivar,harvest,recipe,pear",
	},
	{
		name: "java", class: "1",
		description: "A programming language and a platform to develop and run software on servers, desktops and " +
			"phones, with a virtual machine and class libraries.",
		audience: "Software developers",
		products: "JDK,JVM,JavaFX",
		terms:    "programming,software,code,developer,compiler,server,library,class,application,Oracle",
	},
	{
		name: "java", class: "0",
		description: "Tours and hotels on the Indonesian island: volcanoes, temples, beaches, and journeys from " +
			"Jakarta to Surabaya.",
		audience: "Travellers",
		products: "Volcano Tour,Temple Tour",
		terms:    "island,Indonesia,Jakarta,coffee,sea,Dutch colonial,village,rice,volcano,Sumatra,species",
	},
	{
		name: "seal", class: "1",
		description: "The official site of the British soul singer and songwriter: albums, songs, tour dates and " +
			"concert tickets.",
		audience: "Music fans",
		products: "Kiss from a Rose,Crazy",
		terms:    "singer,song,album,concert,music",
	},
	{
		name: "seal", class: "0",
		description: "A sanctuary and aquarium that rescues marine mammals from beaches and returns them to the sea.",
		audience:    "Families and schools",
		products:    "Pup Rescue,Adoption",
		terms:       "animal,whale,ocean,beach,fish,hunting",
	},
	{
		name: "seal", class: "3",
		description: "Manufacturer of mechanical gaskets, o-rings and bearings for pumps, engines and shafts.",
		audience:    "Engineers",
		products:    "Shaft Rings,O-Rings",
		terms:       "gasket,valve,engine,leak,pump",
	},
	{
		name: "seal", class: "2",
		description: "Designs coats of arms, emblems and crests for cities, universities and government offices.",
		audience:    "Cities and universities",
		products:    "City Emblems,Crest Design",
		terms:       "emblem,coat of arms,stamp,signature,wax",
	},
}

// company returns the customer of a sense. It excludes the terms of the name's other senses if asked.
func (s sense) company(exclude bool) workspace.Company {
	c := workspace.Company{
		Name:        s.name,
		Description: s.description,
		Audience:    s.audience,
		Products:    strings.Split(s.products, ","),
	}
	for _, other := range senses {
		if exclude && other.name == s.name && other.class != s.class {
			c.ExcludeTerms = append(c.ExcludeTerms, strings.Split(other.terms, ",")...)
		}
	}
	return c
}

// measureSenses measures the relevance of every sense of the names in turn, each by a profile of two sentences.
func measureSenses(j *judge.Judge, folder string) (figures []figure, err error) {
	for _, part := range []string{"train", "test"} {
		var profile, excluding float64
		for _, s := range senses {
			posts, err := sentences(j, folder, ambiguous{name: s.name, classes: []string{s.class}}, part)
			if err != nil {
				return nil, err
			}
			k := keyword.Keyword{ID: 1, Text: s.name, ExactMatch: true, Tag: keyword.OwnBrand}
			share, _ := balanced(j, j.Subject(s.company(false), k, nil), posts, &unsure{})
			profile += share / float64(len(senses))
			share, _ = balanced(j, j.Subject(s.company(true), k, nil), posts, &unsure{})
			excluding += share / float64(len(senses))
		}
		figures = append(
			figures,
			figure{
				name:   "relevance of eight senses, mean: profile (" + part + ")",
				value:  profile,
				format: accuracy,
				note:   "0.90 wanted",
			},
			figure{
				name:   "relevance of eight senses, mean: profile, exclude terms (" + part + ")",
				value:  excluding,
				format: accuracy,
				note:   "0.95 wanted",
			},
		)
	}
	return figures, nil
}
