.DEFAULT_GOAL := help
.PHONY: help start dev test test-integration test-long chromium build typecheck lint format sbom bundle-size a11y screenshots mutation-test chaos chaos-check chaos-chat rolling release bench bench-map bench-people bench-chat bench-stall load-abuse bench-first-load up down clean node

# What is built is built again only when one of its sources is newer than its stamp.
MANIFESTS := package.json package-lock.json $(wildcard services/*/package.json services/shared/*/package.json \
  gateway/package.json web/package.json infra/*/package.json)
SERVER_SOURCES := $(shell find services gateway infra \( -name node_modules -o -name dist -o -name test \) -prune -o \
  -path '*/src/*' -type f -print -o -name tsconfig.json -print) tsconfig.base.json
WEB_SOURCES := $(shell find web services/shared/contracts/src \( -name node_modules -o -name dist -o -name test \) \
  -prune -o -type f -print)

INSTALLED := node_modules/.installed
SERVER_BUILT := infra/local/dist/.built
WEB_BUILT := web/dist/.built

GET_PROGRAMS := node --import tsx --conditions=@wayquest/source infra/testing/src/backing/get-programs.ts

help: ## List what make can do
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

start: $(SERVER_BUILT) $(WEB_BUILT) ## Run everything in one process at http://localhost:8080 (PORT, DATA_DIR, DEMO=0)
	@NODE_COMPILE_CACHE=node_modules/.cache/node exec node infra/local/dist/bundle.mjs

dev: $(WEB_BUILT) ## Run every service in its own process, with restarts on changes and hot reload of the web app
	@exec node --import tsx --conditions=@wayquest/source infra/local/dev/main.ts

test: typecheck lint build chromium ## Check types and style, and run every deterministic test: unit, API, events, sockets, browser
	@WAYQUEST_TEST_RUN=deterministic npm run --silent test:all

test-integration: build ## Run the tests on MongoDB, RabbitMQ and Redis, in processes and containers, with outages (needs Docker)
	@$(GET_PROGRAMS) chromium full-chromium promtool haproxy caddy kubectl
	@WAYQUEST_TEST_RUN=integration npm run --silent test:all

test-long: build chromium ## Before a release: storms and fuzzing with new seeds, every screen thoroughly, keyboard navigation, a sample of mutants (an hour)
	@failed=; \
	  WAYQUEST_TEST_RUN=long npm run --silent test:all || failed="$$failed suites"; \
	  $(MAKE) --no-print-directory a11y || failed="$$failed a11y"; \
	  $(MAKE) --no-print-directory mutation-test ARGS='--share 0.02' || failed="$$failed mutation-test"; \
	  if [ "$$failed" ]; then echo "Failed:$$failed"; exit 1; fi

# Before the tests, since nothing is installed while they run.
chromium: $(INSTALLED)
	@$(GET_PROGRAMS) chromium

build: $(SERVER_BUILT) $(WEB_BUILT) ## Compile the services and bundle the web app

typecheck: $(INSTALLED) ## Check all types
	@echo 'Checking types …'
	@npm run --silent typecheck

lint: $(INSTALLED) ## Check style, find likely mistakes, and check the licenses of all packages
	@npm run --silent lint

format: $(INSTALLED) ## Correct style where a tool can
	@npm run --silent format

sbom: | node ## Write all dependencies into sbom.json (CycloneDX)
	@npm sbom --sbom-format cyclonedx --package-lock-only >sbom.json
	@echo 'Written: sbom.json'

bundle-size: $(WEB_BUILT) ## Print how much JavaScript a browser loads for the first page and for the map; fail above a budget
	@npm run --silent size -w web

a11y: $(WEB_BUILT) ## Check every page in every state and window, thoroughly: barriers, overflow, cut-off text and shifts (twenty minutes)
	@WAYQUEST_TEST_SCREENS=1 WAYQUEST_TEST_STORE=embedded npx jest web/test/screens.test

screenshots: $(WEB_BUILT) ## Photograph every page in every state, into screenshots/index.html (about ten minutes)
	@node --import tsx --conditions=@wayquest/source web/scripts/screenshots.ts

mutation-test: $(INSTALLED) ## Change the code in small ways, and count the changes that no test detects (ARGS; see infra/mutants)
	@node --import tsx --conditions=@wayquest/source infra/mutants/src/main.ts $(ARGS)

chaos: $(SERVER_BUILT) ## Kill, pause, disconnect and fill each part under load, and check the history (SEED, AS, FAULTS; see infra/chaos)
	@node --import tsx --conditions=@wayquest/source infra/chaos/src/chaos.ts

chaos-check: $(INSTALLED) ## Check the recorded history of a chaos run again (HISTORY; see infra/chaos)
	@node --import tsx --conditions=@wayquest/source infra/chaos/src/recheck.ts

chaos-chat: $(SERVER_BUILT) ## Kill parts of the chat while 500 clients talk, and count what was lost (see infra/chaos)
	@node --import tsx --conditions=@wayquest/source infra/chaos/src/chat.ts

rolling: $(SERVER_BUILT) ## Restart each part, one replica after the other, under calls and 1,000 sockets (see infra/chaos)
	@node --import tsx --conditions=@wayquest/source infra/chaos/src/rolling.ts

bench: $(SERVER_BUILT) $(WEB_BUILT) ## Measure everything that has a target, beside its peers, and print the table (PART=gateway,chat; see infra/load)
	@node --import tsx --conditions=@wayquest/source infra/load/src/bench.ts

bench-map: $(WEB_BUILT) ## Time the map with 1,000 and with 100,000 challenges in the store (see infra/load)
	@node --import tsx --conditions=@wayquest/source infra/load/src/map.ts

load-abuse: $(SERVER_BUILT) ## Attack Wayquest as one person could, and print how much the others notice (see infra/load)
	@node --import tsx --conditions=@wayquest/source infra/load/src/attack/main.ts $(ARGS)

bench-people: $(INSTALLED) ## Time the leaderboard and the search for people among 1,000 and 100,000 (see infra/load)
	@node --import tsx --conditions=@wayquest/source infra/load/src/people.ts

bench-chat: $(INSTALLED) ## Time messages and conversations beside a plain chat of Express and mongoose (see infra/load)
	@node --import tsx --conditions=@wayquest/source infra/load/src/chat.ts

bench-stall: $(SERVER_BUILT) ## Suspend the store, Redis and the process under load, and print the effects (see infra/load)
	@node --import tsx --conditions=@wayquest/source infra/load/src/stall.ts

bench-first-load: $(WEB_BUILT) ## Time the first load of every page on a slow phone and network (ROUTES, ROUNDS)
	@node --import tsx --conditions=@wayquest/source web/scripts/first-load.ts

release: $(SERVER_BUILT) $(WEB_BUILT) ## Make what operators install, from a tagged commit (VERSION=0.3.0, REGISTRY; see infra/release)
	@node infra/release/release.mjs --version '$(VERSION)' $(if $(REGISTRY),--registry '$(REGISTRY)')

up: ## Run everything in containers, with MongoDB, RabbitMQ and Redis (see docker-compose.yml for settings)
	@began=$$(date +%s); docker compose up --build --detach --wait && \
	  echo "Wayquest is at http://localhost:$${PORT:-8080}, after $$(($$(date +%s) - began)) s. Its images:" && \
	  docker images --format '  {{.Repository}}:{{.Tag}} {{.Size}}' "$${WAYQUEST_IMAGE:-wayquest}-*" && \
	  sh infra/docker/next-steps.sh

down: ## Stop the containers; their data stays
	@docker compose down

clean: ## Remove what was built and installed
	rm -rf node_modules web/dist gateway/dist services/*/dist services/shared/*/dist infra/*/dist \
	  web/node_modules gateway/node_modules services/*/node_modules services/shared/*/node_modules infra/*/node_modules

node:
	@command -v node >/dev/null || { echo 'Wayquest needs Node.js 20.19 or newer: https://nodejs.org'; exit 1; }
	@node -e 'const [a, b] = process.versions.node.split("."); process.exit(+a > 20 || (+a === 20 && +b >= 19) ? 0 : 1)' || \
	  { echo "Wayquest needs Node.js 20.19 or newer; this is $$(node --version)."; exit 1; }

$(INSTALLED): $(MANIFESTS) | node
	@echo 'Installing packages …'
	@npm install --no-save
	@git config --get core.hooksPath >/dev/null 2>&1 || git config core.hooksPath infra/hooks 2>/dev/null || true
	@touch $@

$(SERVER_BUILT): $(SERVER_SOURCES) infra/local/bundle.mjs infra/docker/bundle.mjs $(INSTALLED)
	@echo 'Building the services …'
	@npm run --silent compile -- infra/local infra/admin
	@node infra/local/bundle.mjs
	@touch $@

$(WEB_BUILT): $(WEB_SOURCES) $(INSTALLED)
	@echo 'Building the web app …'
	@npm run --silent build -w web
	@touch $@
