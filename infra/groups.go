package main

import (
	"path"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigateway"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
)

// groups are the nested stacks of the service that hold functions with their paths, because CloudFormation takes 500
// resources in one stack. A function has about nine, and a path two.
//
// The functions of the first versions stay in the stack of the service. CloudFormation makes what is new before it
// deletes what is gone, and API Gateway refuses a second resource with the same path.
type groups struct {
	service awscdk.Stack
	byName  map[string]awscdk.NestedStack
	paths   map[string]constructs.Construct // by the same names: what holds the paths
}

// pathsOf returns where the paths of a group are in the tree of constructs.
func pathsOf(group string) string { return serviceStack + "/" + title(group) + "/Paths" }

// newGroups makes the nested stacks that the functions name.
func newGroups(service awscdk.Stack, functions []Function) groups {
	g := groups{service, map[string]awscdk.NestedStack{}, map[string]constructs.Construct{}}
	for _, function := range functions {
		if name := function.Group; name != "" && g.byName[name] == nil {
			g.byName[name] = awscdk.NewNestedStack(service, jsii.String(title(name)), &awscdk.NestedStackProps{
				Description: jsii.String("Earshot: the functions and paths of " + name + "."),
			})
			g.paths[name] = constructs.NewConstruct(g.byName[name], jsii.String("Paths"))
		}
	}
	return g
}

// of returns the stack that a function is in.
func (g groups) of(function Function) constructs.Construct {
	if function.Group == "" {
		return g.service
	}
	return g.byName[function.Group]
}

// paths is where paths of the API are made: each in the stack of its functions.
type paths struct {
	api     awsapigateway.RestApi
	groups  groups
	routes  []route
	lambdas map[string]lambda
}

// group returns the group that has all routes at and below a path; empty: the service, or there are several.
func (p paths) group(at string) string {
	found, first := "", true
	for _, route := range p.routes {
		if route.path != at && !strings.HasPrefix(route.path, strings.TrimSuffix(at, "/")+"/") {
			continue
		}
		if group := p.groupOf(route); first {
			found, first = group, false
		} else if group != found {
			return ""
		}
	}
	return found
}

// guests are paths, with those below them, that are in the stack of another group than their function: they came when the
// stack of the service had no room left. A path never moves from one stack to another.
var guests = map[string]string{
	"/api/v2/org/grants":                  "authorize",
	"/api/v2/integrations/slack/connect":  "deliveries",
	"/api/v2/integrations/slack/callback": "deliveries",
}

// groupOf returns the group that has a route; empty: the service.
func (p paths) groupOf(route route) string {
	for beginning, group := range guests {
		if route.path == beginning || strings.HasPrefix(route.path, beginning+"/") {
			return group
		}
	}
	return p.lambdas[route.function].Group
}

// at returns the API's resource for a path, and makes it and those above it if they are not there yet.
func (p paths) at(at string) awsapigateway.IResource {
	group := p.group(at)
	if group == "" {
		return p.api.Root().ResourceForPath(jsii.String(at))
	}
	scope, id := p.groups.paths[group], jsii.String(strings.ReplaceAll(at[1:], "/", "-"))
	if made, ok := scope.Node().TryFindChild(id).(awsapigateway.IResource); ok {
		return made
	}
	return awsapigateway.NewResource(scope, id, &awsapigateway.ResourceProps{
		Parent: p.at(path.Dir(at)), PathPart: jsii.String(path.Base(at)),
	})
}
