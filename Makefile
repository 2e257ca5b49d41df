# Earshot's commands. "make" alone lists them. Each works on a fresh clone: what it needs, it installs.

STAGE ?= dev
FN    ?= mentions
EVENT ?= get

# One folder with a lambda/ is one Lambda.
LAMBDAS  := $(patsubst functions/%/lambda/main.go,%,$(wildcard functions/*/lambda/main.go functions/*/*/lambda/main.go))
# Reproducible, and for the arm64 machines of provided.al2023.
GOLAMBDA := CGO_ENABLED=0 GOOS=linux GOARCH=$(or $(ARCH),arm64) go build -trimpath -buildvcs=false -tags lambda.norpc -ldflags "-s -w -buildid="
DIST     := dist
DOCS     := functions/discovery/docs
# The workbench: one program, compiled once, for every command that is one of its words.
LOCAL    := $(DIST)/earshot
PEERS    := infra/peers
VENV     := .peers/venv
CDK      := STAGE=$(STAGE) infra/node_modules/.bin/cdk

# Packages whose tests synthesize the stacks, or build programs and run them: a third of the time of all tests. make peers runs them.
DEPLOYING := earshot/infra earshot/infra/runtimeapi earshot/infra/soak earshot/infra/stage earshot/functions/local

# As GOLAMBDA: every command compiles a package in one way, so that it is compiled once.
export GOFLAGS += -trimpath
export CGO_ENABLED = 0
# Memory for processor time: garbage is collected a quarter as often, as long as a process has less than 2 GiB.
check test peers: export GOGC = 400
check test peers: export GOMEMLIMIT = 2GiB

.PHONY: help run install tour propose analytics $(LOCAL) test check peers bench rivals accuracy quality soak build synth deploy invoke operate generate docs lint format clean
.DEFAULT_GOAL := help

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(LOCAL) ## the whole API on this machine: ADDR=127.0.0.1:8080, DATA=.earshot, DEMO=off, SOURCES=archive, ANALYTICS_FILES=on
	@$(LOCAL) serve

install: $(LOCAL) ## the program earshot for your shell, into PREFIX/bin, or where go install puts programs
	@bin="$(if $(PREFIX),$(PREFIX)/bin)"; [ -n "$$bin" ] || bin=$$(go env GOBIN); \
	  [ -n "$$bin" ] || bin=$$(go env GOPATH | cut -d: -f1)/bin; \
	  mkdir -p "$$bin" && install -m 755 $(LOCAL) "$$bin/earshot" && echo "installed $$bin/earshot" && \
	  case ":$$PATH:" in *":$$bin:"*) ;; *) echo "$$bin is not in your PATH: add it, or type the whole path";; esac

tour: ## the API by examples, against make run: PART=listening|deliveries|analytics|search|workspace|agency|proposal|workbench, or all
	@for part in $(or $(PART),listening deliveries analytics search workspace agency proposal workbench); do infra/tour/$$part.sh || exit 1; done

propose: $(LOCAL) ## a proposal for DOMAIN=acme.com, in the workbench that runs or in one of its own: ARGS="--apply"
	@$(LOCAL) propose $(DOMAIN) $(ARGS)

analytics: $(LOCAL) ## volume, sentiment, platforms, topics and share of voice in the terminal: ARGS="--help"
	@$(LOCAL) analytics $(ARGS)

# Go knows what is to be compiled. Nothing that changes with each commit is in it.
$(LOCAL): docs
	@go build -buildvcs=false -o $@ ./functions/local

# lint vets all packages, so that this need not.
test: docs ## the tests that need Go and Node only, except those of the deployment
	@go test -vet=off $(filter-out $(DEPLOYING) earshot/shared/architecture,$(shell go list ./...))
# It reads the packages by a program of its own, so that Go would not know when to run it again.
	@go test -vet=off -count=1 ./shared/architecture

check: format lint ## what CI runs before the peers: format, vet, lint, generated files, architecture, test
	go run ./functions/discovery/generate -check
	go run ./functions/mcp/generate -check
	$(MAKE) test

format: # the tree is formatted
	@stale=$$(gofmt -l $$(git ls-files "*.go")); [ -z "$$stale" ] || { echo "not gofmt'd: $$stale"; exit 1; }

lint:
	go mod verify
	go vet ./...
	go tool staticcheck ./...

generate: ## write the OpenAPI document, llms.txt and the MCP tools anew
	go run ./functions/discovery/generate
	go run ./functions/mcp/generate

peers: docs .peers/ready ## the tests of the deployment; the AWS adapters and the HTTP stories against servers of others
	infra/peers/run.sh

bench: docs .peers/ready ## the figures; never part of a test
	infra/peers/bench.sh

rivals: ## the matcher, the filters and the workbench beside other programs; never part of a test
	@infra/rivals/run.sh

accuracy: ## how often the filter wizard and the judges are right, the judges on the data of DATA_DIR=../shared/data
	@go run ./shared/wizard/accuracy
	@go run ./shared/judge/accuracy

quality: ## how good proposals of the setup engine are, on the data of DATA_DIR=../shared/data; SPLIT=dev leaves out test
	@go run ./infra/quality

soak: docs ## load, faults on every port and kills, for MINUTES=10, RATE=25 a second, SEED=any: nothing lost, nothing grows
	@go run ./infra/soak

build: docs ## every Lambda, and the files of pages, into dist/
	@for fn in $(LAMBDAS); do mkdir -p $(DIST)/$$fn && echo "$(DIST)/$$fn/bootstrap" && \
	  $(GOLAMBDA) -o $(DIST)/$$fn/bootstrap ./functions/$$fn/lambda || exit 1; done
	@go run ./functions/discovery/files -folder $(DIST)/static

synth: build infra/node_modules/.installed ## the CloudFormation templates of STAGE=dev|staging|prod
	$(CDK) synth --quiet
	@ls infra/cdk.out/*.template.json

deploy: build infra/node_modules/.installed ## deploy STAGE=dev|staging|prod into the AWS account of the environment: ARGS for cdk deploy
	@STAGE=$(STAGE) go run ./infra deploy $(ARGS)

invoke: docs ## a Lambda's handler with a sample: FN=mentions EVENT=get
	@go run ./infra/invoke $(FN) $(EVENT)

operate: $(LOCAL) ## workspaces, agencies and keys, here or on a stage: ARGS="workspace create --name Acme"
	@$(LOCAL) operate $(ARGS)

clean: ## remove what was built and installed, not the data of make run
	rm -rf dist .rivals infra/cdk.out infra/node_modules $(PEERS)/node_modules .peers $(DOCS)/swagger-ui* $(DOCS)/LICENSE.swagger-ui

# The renderer of the documentation page comes from npm and is embedded into the discovery function.
docs: $(DOCS)/swagger-ui-bundle.js ## the documentation page's renderer

$(DOCS)/swagger-ui-bundle.js: infra/node_modules/.installed
	@cp infra/node_modules/swagger-ui-dist/swagger-ui-bundle.js infra/node_modules/swagger-ui-dist/swagger-ui.css $(DOCS)/
	@cp infra/node_modules/swagger-ui-dist/LICENSE $(DOCS)/LICENSE.swagger-ui
	@touch $@

infra/node_modules/.installed: infra/package-lock.json
	@echo "installing Node's tools" && cd infra && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

.peers/ready: $(PEERS)/package-lock.json $(PEERS)/requirements.txt
	@echo "installing the peers"
	cd $(PEERS) && npm ci --no-audit --no-fund --loglevel=error
	python3 -m venv $(VENV) && $(VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $(PEERS)/requirements.txt
	@touch $@
