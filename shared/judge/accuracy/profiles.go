package main

import (
	"earshot/shared/keyword"
	"earshot/shared/workspace"
)

// An ambiguous is a name with many senses, as a customer who means one of them would set it up. Its profile and terms
// were written from what the company says of itself and from a dictionary's senses of the name.
type ambiguous struct {
	name    string
	classes []string // the customer's classes
	company workspace.Company
	context string
}

func (a ambiguous) keyword() keyword.Keyword {
	return keyword.Keyword{ID: 1, Text: a.name, Context: a.context, ExactMatch: true, Tag: keyword.OwnBrand}
}

var names = []ambiguous{
	{
		name: "apple", classes: []string{"0"},
		company: workspace.Company{
			Name:   "Apple Inc.",
			Domain: "apple.com",
			Description: "Apple designs and sells consumer electronics, software and online services: smartphones, personal computers, " +
				"tablets, watches, headphones, operating systems, an app store and a music store.",
			Products: []string{
				"iPhone", "iPad", "Mac", "MacBook", "iOS", "macOS", "iTunes", "Siri", "iCloud", "AirPods",
			},
			Audience: "Consumers, software developers and businesses",
			ExcludeTerms: []string{
				"fruit", "tree", "orchard", "juice", "cider", "pie", "cultivar", "harvest", "recipe", "pear",
			},
		},
		context: "Apple the technology company, its devices, software and stores.",
	},
	{
		name: "java", classes: []string{"1"},
		company: workspace.Company{
			Name:   "Oracle Java",
			Domain: "java.com",
			Description: "Java is a programming language and platform: compiler, virtual machine, libraries, frameworks and development " +
				"tools for building enterprise servers, web applications and mobile apps.",
			Products: []string{"JDK", "JVM", "OpenJDK", "GraalVM", "JavaFX"},
			Audience: "Software developers, architects and open source projects",
			ExcludeTerms: []string{
				"island", "Indonesia", "Jakarta", "coffee", "sea", "Dutch colonial", "village", "rice", "volcano",
				"Sumatra", "species",
			},
		},
		context: "The programming language Java and what is built with it.",
	},
	{
		name: "seal", classes: []string{"0"},
		company: workspace.Company{
			Name:   "Seal Rescue",
			Domain: "sealrescue.example",
			Description: "A conservation charity that rescues, rehabilitates and releases injured seals and protects marine mammals, their " +
				"pups and colonies, their beaches, coast and ocean from hunting, fishing nets and pollution.",
			Audience: "Wildlife volunteers, divers and donors",
			ExcludeTerms: []string{
				"singer", "song", "album", "concert", "emblem", "coat of arms", "stamp", "signature", "gasket", "valve",
				"engine", "leak", "wax", "navy",
			},
		},
		context: "Seals, the animals, in the wild or in a rescue centre.",
	},
}
