package main

import (
	"fmt"
	"strings"
	"testing"

	"earshot/shared/static"
)

func TestStatic_DistributionServesTheBucketAlone(t *testing.T) {
	onEachDeployment(t, func(t *testing.T, stage Stage, made deployment) {
		distribution := resource{
			Properties: made.service.at(t, "Service/Static/Distribution").property("DistributionConfig").(map[string]any),
		}
		origins := list(distribution.Properties["Origins"])
		if len(origins) != 1 {
			t.Fatalf("%d origins", len(origins))
		}
		origin := resource{Properties: origins[0].(map[string]any)}
		if from := made.service.text(origin.Properties["DomainName"]); from != "{Service/Static/Bucket.RegionalDomainName}" {
			t.Errorf("it serves %s", from)
		}
		if origin.Properties["OriginAccessControlId"] == nil {
			t.Error("it reads the bucket without an origin access control")
		}
		behaviour := distribution.property("DefaultCacheBehavior").(map[string]any)
		if distribution.Properties["CacheBehaviors"] != nil {
			t.Errorf("other behaviours: %v", distribution.Properties["CacheBehaviors"])
		}
		for name, want := range map[string]any{
			"ViewerProtocolPolicy": "https-only",
			"AllowedMethods":       []any{"GET", "HEAD"},
			"Compress":             false,
			// AWS's own policies, by the ids that its documentation lists.
			"CachePolicyId":           "b2884449-e4de-46a7-ac36-70bc7f1ddd6d", // CachingOptimizedForUncompressedObjects
			"ResponseHeadersPolicyId": "e61eb60c-9c35-4d20-a928-2b84e02af89c", // CORS-and-SecurityHeadersPolicy
		} {
			if fmt.Sprint(behaviour[name]) != fmt.Sprint(want) {
				t.Errorf("%s is %v, want %v", name, behaviour[name], want)
			}
		}
		if got := distribution.Properties["WebACLId"]; fmt.Sprint(got) != fmt.Sprint(orNothing(stage.StaticFirewall)) {
			t.Errorf("the web ACL is %v, want %q", got, stage.StaticFirewall)
		}
	})
}

func orNothing(value string) any {
	if value == "" {
		return nil
	}
	return value
}

// A file is stored compressed, for ever, and stays when a deployment brings others: an earlier page, in a cache or
// after a roll-back, names it. With the stack all go.
func TestStatic_FilesAreKeptCompressed(t *testing.T) {
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		stored := made.service.of("Custom::CDKBucketDeployment")
		if len(stored) != 1 {
			t.Fatalf("%d deployments of files", len(stored))
		}
		for name, want := range map[string]any{
			"SystemMetadata": map[string]any{"cache-control": static.CacheControl, "content-encoding": "gzip"},
			"Prune":          false,
			"RetainOnDelete": false,
		} {
			if got := stored[0].Properties[name]; fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s is %v, want %v", name, got, want)
			}
		}
		if to := made.service.text(stored[0].Properties["DestinationBucketName"]); to != "{Service/Static/Bucket}" {
			t.Errorf("files go to %s", to)
		}
		// By this tag on the bucket the CDK's function leaves the files there.
		if tags := made.service.text(made.service.at(t, "Service/Static/Bucket").Properties["Tags"]); strings.Contains(
			tags,
			"cr-owned",
		) {
			t.Errorf("the bucket's tags are %s", tags)
		}
	})
}

// The page names files only once they are there.
func TestStatic_FilesAreThereBeforeTheirPage(t *testing.T) {
	onEachStage(t, func(t *testing.T, _ Stage, made deployment) {
		stored := made.service.of("Custom::CDKBucketDeployment")[0].id
		if waits := fmt.Sprint(list(made.service.at(t, "Service/discovery/Fn").DependsOn)); !strings.Contains(
			waits,
			stored,
		) {
			t.Errorf("the function with the page waits for %s, want %s among it", waits, stored)
		}
	})
}

// settingsOf are a stage's settings of methods, by path and method.
func settingsOf(stage resource) map[string]map[string]any {
	found := map[string]map[string]any{}
	for _, each := range list(stage.Properties["MethodSettings"]) {
		setting := each.(map[string]any)
		path := strings.ReplaceAll(strings.TrimPrefix(fmt.Sprint(setting["ResourcePath"]), "/~1"), "~1", "/")
		if !strings.HasPrefix(path, "/") {
			path = "/" + path
		}
		found[path+" "+fmt.Sprint(setting["HttpMethod"])] = setting
	}
	return found
}

// A flood of what anybody may ask for leaves the stage's requests to workspaces.
func TestThrottles_PublicPathsHaveTheirOwn(t *testing.T) {
	routes, err := readRoutes(servedDocument)
	if err != nil {
		t.Fatal(err)
	}
	onEachStage(t, func(t *testing.T, stage Stage, made deployment) {
		settings := settingsOf(made.service.of("AWS::ApiGateway::Stage")[0])
		public := 0
		for _, route := range append(routes, route{path: otherPaths, public: true}) {
			for _, method := range []string{"ANY", "GET", "HEAD"} {
				setting, own := settings[route.path+" "+method]
				if own != route.public {
					t.Errorf("%s %s has a limit of its own: %v, want %v", method, route.path, own, route.public)
				}
				if !own {
					continue
				}
				public++
				if setting["ThrottlingRateLimit"] != stage.PublicPerSecond ||
					setting["ThrottlingBurstLimit"] != stage.PublicBurst {
					t.Errorf("%s %s: %v", method, route.path, setting)
				}
			}
		}
		if len(settings) != public+1 {
			t.Errorf("%d settings of methods, want %d and the stage's", len(settings), public)
		}
		if least := 3 * 8; public < least {
			t.Errorf("%d settings of public paths, want at least %d", public, least)
		}
	})
}

func TestCheckStatic_NothingBuilt(t *testing.T) {
	empty := t.TempDir()
	for name, folder := range map[string]string{"no folder": empty + "/static", "no page": empty} {
		if err := checkStatic(folder); err == nil || !strings.Contains(err.Error(), folder) {
			t.Errorf("%s: checkStatic = %v, want an error that names the folder", name, err)
		}
	}
}
