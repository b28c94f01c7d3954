package shell

import (
	"slices"
	"strings"
	"testing"
)

// TestBehind: a tool is found behind programs that start it elsewhere, and nothing else is.
func TestBehind(t *testing.T) {
	tools := Tools(func(argv []string) bool {
		return slices.Contains(strings.Fields("pytest phpunit eslint hadolint npm golangci-lint docker kubectl git"), argv[0])
	})
	for line, want := range map[string]string{
		"docker compose exec -T app pytest -q":                             "pytest -q",
		"docker compose -f ci.yml run --rm -e A=1 app python -m pytest -q": "pytest -q",
		"docker exec -it -w /app pytest eslint .":                          "eslint .", // a container called pytest
		"docker run --rm --name eslint -v $PWD:/w -w /w node:22 npm test":  "npm test",
		"docker run --rm -i hadolint/hadolint:v2 -":                        "hadolint -",
		"docker run --rm app ./start.sh":                                   "docker run --rm app ./start.sh",
		"docker build -t pytest .":                                         "docker build -t pytest .",
		"kubectl -n ci exec -it deploy/app -c web -- timeout 9 pytest":     "pytest",
		"kubectl get pods -- pytest":                                       "kubectl get pods -- pytest",
		"ssh -p 22 ci@host 'cd app && pytest -q'":                          "pytest -q",
		"ssh host pytest -q":                                               "pytest -q",
		"ssh host uptime":                                                  "ssh host uptime",
		"nix develop .#ci -c pytest":                                       "pytest",
		`nix-shell -p x --run "pytest -q"`:                                 "pytest -q",
		"perf stat -e cycles pytest":                                       "pytest",
		"gosu app docker exec app pytest":                                  "pytest",
		"./wait-for-it.sh db:5432 -t 9 -- pytest -q":                       "pytest -q",
		"tini -- sh -c 'pytest -q'":                                        "pytest -q",
		"grep -rn -- pytest .":                                             "grep -rn -- pytest .",
		"git checkout -- pytest":                                           "git checkout -- pytest",
		"php -d memory_limit=1G vendor/bin/phpunit --testdox":              "phpunit --testdox",
		"php tools/phpunit.phar":                                           "phpunit",
		"php phpunit":                                                      "php phpunit",
		"python3 -u .venv/bin/pytest -q":                                   "pytest -q",
		"python3 scripts/pytest":                                           "python3 scripts/pytest",
		"ruby -Ilib bin/eslint .":                                          "eslint .",
		"eval 'pytest -q'":                                                 "pytest -q",
		"yarn workspace web eslint .":                                      "eslint .",
		"yarn workspace web build":                                         "yarn workspace web build",
		strings.Repeat("docker run x ", 300) + "pytest":                    "",
		strings.Repeat("x -- ", 300) + "pytest":                            "",
		"docker run --rm app sh -c './start.sh'":                           "docker run --rm app sh -c ./start.sh",
		`docker compose exec app bash -lc "cd web && npm test"`:            "npm test",
	} {
		if got := strings.Join(tools.Unwrap(nil, line).Argv, " "); got != want && want != "" {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
