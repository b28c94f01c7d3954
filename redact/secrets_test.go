package redact

import (
	b64 "encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
)

// The secrets of these tests are made when they run, from parts and a fixed seed, so that no scanner of secrets flags the
// sources of cairn.

const (
	lowers = "abcdefghijklmnopqrstuvwxyz"
	uppers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits = "0123456789"
	hexes  = "0123456789abcdef"
	word   = lowers + uppers + digits
	base64 = word + "+/"
	base32 = uppers + "234567"
)

// random returns n bytes of the alphabet, the same for the same seed, with a letter and a digit where there is room.
func random(seed uint64, alphabet string, n int) string {
	r := rand.New(rand.NewPCG(seed, 20250101))
	out := make([]byte, n)
	for i := range out {
		out[i] = alphabet[r.IntN(len(alphabet))]
	}
	if n >= 6 && strings.ContainsAny(alphabet, digits) {
		out[n/2] = '7'
		out[n/3] = alphabet[strings.IndexAny(alphabet, lowers+uppers)+1]
	}
	return string(out)
}

// A planted secret: the text it stands in, and the part of it that must not survive.
type planted struct {
	name   string // of the case; the part before the first / is the rule that must fire, unless it is "any"
	text   string
	secret string
}

// secretFamilies has at least one secret for each family of rules.
func secretFamilies() []planted {
	var out []planted
	add := func(name, format string, secret string) {
		out = append(out, planted{name, fmt.Sprintf(format, secret), secret})
	}
	tok := func(name, prefix, alphabet string, n int) {
		add(name, "%s", prefix+random(uint64(len(out)+1), alphabet, n))
	}

	// Secrets that say themselves what they are.
	tok("github-pat", "gh"+"p_", word, 36)
	tok("github-oauth", "gh"+"o_", word, 36)
	tok("github-app-token", "gh"+"s_", word, 36)
	tok("github-refresh-token", "gh"+"r_", word, 36)
	tok("github-fine-grained-pat", "github"+"_pat_", word, 82)
	tok("gitlab-token", "gl"+"pat-", word, 20)
	tok("gitlab-token", "gl"+"rt-", word, 20)
	tok("gitlab-token", "gl"+"dt-", word, 20)
	tok("slack-bot-token", "xo"+"xb-1234567890-1234567890123-", word, 24)
	tok("slack-user-token", "xo"+"xp-1234567890-1234567890-1234567890-", hexes, 32)
	tok("slack-app-token", "xa"+"pp-1-A0123456789-1234567890123-", hexes, 64)
	tok("npm-access-token", "np"+"m_", word, 36)
	tok("pypi-upload-token", "pypi-AgEIcHlwaS5"+"vcmc", word, 90)
	tok("aws-access-token", "AK"+"IA", base32, 16)
	tok("aws-access-token/session", "AS"+"IA", base32, 16)
	tok("gcp-api-key", "AI"+"za", word, 35)
	tok("stripe-access-token", "sk_"+"live_", word, 24)
	tok("sendgrid-api-token", "S"+"G.", lowers+digits, 66)
	tok("openai-api-key", "sk-"+random(901, word, 20)+"T3Blbk"+"FJ", word, 20)
	tok("anthropic-api-key", "sk-ant-"+"api03-"+random(902, word, 92), "A", 3)
	tok("huggingface-access-token", "h"+"f_", lowers, 34)
	tok("digitalocean-pat", "do"+"p_v1_", hexes, 64)
	tok("databricks-api-token", "da"+"pi", hexes, 32)
	tok("shopify-access-token", "sh"+"pat_", hexes, 32)
	tok("vault-service-token", "hv"+"s.", word, 95)
	tok("age-secret-key", "AGE-SECRET"+"-KEY-1", "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)
	tok("postman-api-token", "PM"+"AK-"+random(903, hexes, 24)+"-", hexes, 34)
	tok("rubygems-api-token", "rubygems"+"_", hexes, 48)
	tok("doppler-token", "dp"+".pt.", lowers+digits, 43)
	tok("linear-api-key", "lin"+"_api_", lowers+digits, 40)
	tok("pulumi-api-token", "pu"+"l-", hexes, 40)
	tok("twilio-api-key", "S"+"K", hexes, 32)
	tok("easypost-api-token", "EZ"+"AK", lowers+digits, 54)
	tok("1password-secret-key", "A"+"3-"+random(904, uppers+digits, 6)+"-"+random(905, uppers+digits, 11)+"-"+random(906, uppers+digits, 5)+"-"+random(907, uppers+digits, 5)+"-", uppers+digits, 5)
	tok("azure-ad-client-secret", random(908, word, 3)+"8Q"+"~", word, 34)
	tok("hashicorp-tf-api-token", random(909, lowers+digits, 14)+".atlas"+"v1.", lowers+digits, 64)
	tok("maxmind-license-key", random(910, word, 6)+"_"+random(911, word, 29)+"_m", "m", 1)
	out[len(out)-1].text += "k"
	out[len(out)-1].secret += "k"
	out = append(out, jwt())
	add("slack-webhook-url", "https://hooks.slack.com/services/%s", random(20, base64, 44))

	// A vendor's name, then a value of its form.
	add("snyk-api-token", "SNYK_TOKEN=%s", uuid(30))
	add("heroku-api-key", "heroku_api_key: \"%s\"", uuid(31))
	add("any/datadog", "DATADOG_API_KEY=%s", random(32, lowers+digits, 40))
	add("any/discord", "discord_bot_token = '%s'", random(33, hexes, 64))
	add("any/sonar", "sonar.login=%s", random(34, hexes, 40))
	add("any/twitch", "twitch_token: %s", random(35, lowers+digits, 30))
	add("any/meraki", "meraki_key=%s", random(36, hexes, 40))

	// Names and values of our own.
	add("generic-api-key", "my_service_key = \"%s\"", random(40, word, 32))
	add("any/api key", "API_KEY=%s", random(41, word, 24))
	add("any/hex api key", "export API_KEY=%s", random(42, hexes, 32))
	add("any/uuid token", "{\"auth_token\": \"%s\"}", uuid(43))
	add("any/short secret", "secret=%s", "s3"+"cr3tV9k")
	add("any/client secret", "client_secret: '%s'", random(44, word, 20))
	add("any/npmrc", "//registry.example.org/:_authToken=%s", uuid(45))
	add("any/account key", "AccountName=x;AccountKey=%s;EndpointSuffix=core", random(46, base64, 86)+"==")
	add("assigned-password", "password=%s", "hun"+"ter2")
	add("assigned-password/yaml", "db_password: %s", "Tr0ub4"+"dor&3")
	add("assigned-password/json", `{"user": "bob", "password": "%s"}`, "swor"+"dfish")
	add("assigned-password/json in json", `"{\"password\":\"%s\"}"`, "swor"+"dfish9")
	add("assigned-password/env", "PGPASSWORD=%s", "swor"+"dfish")
	add("assigned-password/dict", "{'passwd': '%s'}", "l3t"+"mein")
	add("assigned-password/xml", "<password>%s</password>", "l3t"+"m3in!")
	add("assigned-password/odbc", "Server=db;Uid=sa;Pwd=%s;", "Str0"+"ng!Pass")
	add("assigned-password/flag", "running mysqldump --password %s --all", "l3t"+"m3in!")
	add("assigned-password/pass", "SMTP_PASS=%s", "l3t"+"m3in")
	add("assigned-password/libpq", "host=db user=app password=%s sslmode=off", "pa55"+"w0rd")

	add("url-password", "postgres://app:%s@db.internal:5432/app", "hun"+"ter2")
	add("url-password/slash", "mongodb+srv://app:%s@cluster0.example.net/x", "p/a"+"ss#w0rd")
	add("url-password/http", "fatal: unable to access 'https://ci:%s@git.example.org/x.git/'", "swor"+"dfish")
	add("url-password/redis", "redis://:%s@localhost:6379/0", "swor"+"dfish")
	add("url-password/at", "amqp://guest:%s@mq:5672", "p@"+"ssw0rd")
	add("url-password/user only", "https://%s@git.example.org/x.git", random(50, word, 40))
	add("url-password/json", `"url":"https:\/\/u:%s@h\/"`, "swor"+"dfish")
	add("dsn-password", "app:%s@tcp(127.0.0.1:3306)/app?parseTime=true", "swor"+"dfish")

	add("authorization-header/bearer", "Authorization: Bearer %s", random(60, word, 40))
	add("authorization-header/basic", "> authorization: Basic %s", "dXNlcjpzd29y"+"ZGZpc2g=")
	add("authorization-header/map", "{'Authorization': 'Token %s'}", random(61, hexes, 40))
	add("authorization-header/json", `"headers":{"Authorization":"Bearer %s"}`, random(62, word, 22))
	add("authorization-header/go", `map[Authorization:[Bearer %s]]`, random(63, word, 22))
	add("authorization-header/bare", "sending Bearer %s to api", random(64, word, 30))
	add("any/x-api-key", "X-Api-Key: %s", random(65, word, 20))
	add("any/private-token", "PRIVATE-TOKEN: %s", random(66, word, 20))
	add("cookie", "Cookie: theme=dark; sessionid=%s", random(67, lowers+digits, 32))
	add("cookie/set", "< Set-Cookie: connect.sid=%s; Path=/; HttpOnly", "s%3A"+random(68, word, 32)+"."+random(69, word, 20))
	add("netrc-password", "machine git.example.org login bob password %s", "swor"+"dfish")
	add("netrc-password/lines", "machine git.example.org\n  login bob\n  password %s\n", "swor"+"dfish")
	add("argv-secret/curl", "+ curl -sS -u bob:%s https://api.example.org/x", "swor"+"dfish")
	add("aws-secret-access-key", "aws_secret_access_key = %s", random(70, base64, 40))
	add("aws-secret-access-key/csv", "AK"+"IAIOSFODNN7EXAMPLE,%s", random(72, base64, 40))
	out = append(out, newFamilies()...)
	out = append(out, pems()...)
	return out
}

// newFamilies are the kinds that an attack on the record once got through.
func newFamilies() []planted {
	var out []planted
	add := func(name, format string, secret string) {
		out = append(out, planted{name, fmt.Sprintf(format, secret), secret})
	}
	letters := lowers + uppers
	add("stripe-webhook-secret", "STRIPE_ENDPOINT=%s", "whs"+"ec_"+random(400, word, 32))
	add("stripe-webhook-secret/bare", "verify with %s", "whs"+"ec_"+random(401, word, 32))
	add("google-oauth-token", "got %s from the metadata server", "ya"+"29.a0"+random(402, word+"-_", 120))
	add("azure-sas-signature", "https://x.blob.core.windows.net/c/f?sv=2022-11-02&se=2026-01-01&sr=b&sp=r&sig=%s", random(403, word, 22)+"%2F"+random(404, word, 20)+"%3D")
	add("azure-sas-signature/raw", "sp=r&sig=%s&sr=b", random(405, base64, 43)+"=")
	add("presigned-url-signature", "https://b.s3.amazonaws.com/k?X-Amz-Expires=60&X-Amz-Signature=%s&x=1", random(406, hexes, 64))
	add("telegram-bot-token", "polling as %s", "1234567890:A"+"A"+random(407, word+"-_", 33))
	add("telegram-bot-token/url", "POST https://api.telegram.org/bot%s/sendMessage", "123456789:A"+"A"+random(408, word+"-_", 33))
	add("vendor-token/groq", "%s", "gs"+"k_"+random(409, word, 52))
	add("vendor-token/docker", "%s", "dck"+"r_pat_"+random(410, word+"-_", 27))
	add("vendor-token/tailscale", "%s", "ts"+"key-auth-"+random(411, word, 12)+"-"+random(412, word, 32))
	add("any/openrouter", "%s", "sk"+"-or-v1-"+random(413, hexes, 64))
	add("any/openai project", "%s", "sk"+"-proj-"+random(414, word+"-_", 120))

	token := "ey" + "JhbGciOiJIUzI1NiJ9." + "ey" + "JzdWIiOiIxMjM0NTY3ODkwIn0." + random(415, word, 43)
	add("jwt-base64", "claims: %s", b64.StdEncoding.EncodeToString([]byte(token)))

	// An underscore before what says itself what it is.
	add("aws-access-token/underscore", "ci_%s", "AK"+"IA"+random(420, base32, 16))
	add("stripe-access-token/underscore", "old_%s", "sk_"+"live_"+random(421, word, 24))
	add("github-pat/underscore", "token_%s", "gh"+"p_"+random(422, word, 36))

	// Letters only, and values with blanks.
	add("assigned-password/letters", "password=%s", "DsUwsw"+"zHJMyP")
	add("assigned-password/letters, yaml", "password: %s", "DsUwsw"+"zHJMyP")
	add("assigned-password/lower letters", "host=db user=app password=%s sslmode=off", "swor"+"dfish")
	add("assigned-password/quoted letters", `db_password = "%s"`, "roo"+"tpasswd")
	add("assigned-password/in a column", `password             = "%s"`, "roo"+"tpasswd")
	add("assigned-password/in a column of a report", "Password          : %s", "S3cr"+"et!x")
	add("assigned-password/blanks", `password: "%s"`, "correct horse bat"+"tery staple")
	add("assigned-password/blanks, env", "export DB_PASSWORD='%s'", "correct horse bat"+"tery staple")
	add("any/token letters", "token=%s", random(430, letters, 24))
	add("any/secret letters", "app_secret: %s", random(431, letters, 24))
	add("any/api key letters", `{"apiKey":"%s"}`, random(432, letters, 32))
	add("any/secret word", `client_secret = "%s"`, "swor"+"dfish")
	add("any/secret blanks", `client_secret: "%s"`, "two wo"+"rds")
	add("any/auth token blanks", `"auth_token": "%s"`, "two wo"+"rds")
	add("any/api key blanks", "API_KEY='%s'", "blue penguin march")

	// Commands that were printed.
	add("argv-secret/mysql", "+ mysql -uroot -p%s -h db app", "swor"+"dfish")
	add("argv-secret/mysql in a sentence", "failed: `mysqldump -u root -p%s app` exited 2", "s3"+"cr3t")
	add("argv-secret/mysql quoted", "$ mysql -u root -p'%s' app", "swor"+"d fish")
	add("argv-secret/docker", "+ docker login -u bob -p %s registry.example.org", "swor"+"dfish")
	add("argv-secret/docker glued", "+ docker login -u bob -p%s registry.example.org", "swor"+"dfish")
	add("argv-secret/sshpass", "sshpass -p %s ssh bob@h", "swor"+"dfish")
	add("argv-secret/redis", "> redis-cli -h cache -a %s PING", "swor"+"dfish")
	add("argv-secret/aws", "+ aws configure set aws_secret_access_key %s --profile ci", "swor"+"dfish")
	add("argv-secret/npm", "+ npm config set //r.example.org/:_authToken %s", "swor"+"dfish")
	add("argv-secret/curl glued", "+ curl -ubob:%s https://api.example.org/x", "swor"+"dfish")
	add("argv-secret/curl continued", "curl -k https://h/x \\\n  -H 'Accept: x' \\\n  -u bob:%s", "swor"+"dfish")
	add("argv-secret/curl, the key as user", `curl -u "%s:" https://localhost:9200`, "d2LkV"+"78zLx!t")
	add("argv-secret/curl header", `curl -X POST --header "Api-Token: %s"`, "Sk94H"+"G7f6KB")
	add("authorization-header/any scheme", `"Authorization: Api-Token %s"`, random(440, hexes, 40))

	// What a reader does not see, in the middle of a secret.
	pat, key := "gh"+"p_"+random(450, word, 36), "AK"+"IA"+random(451, base32, 16)
	for _, gap := range []struct{ name, text string }{
		{"zero-width space", "\u200b"}, {"word joiner", "\u2060"}, {"byte order mark", "\ufeff"}, {"soft hyphen", "\u00ad"},
		{"colour", "\x1b[31m"}, {"hyperlink", "\x1b]8;;https://example.org\x1b\\"}, {"control character", "\x01"},
		{"colour written out", `\u001b[1;31m`}, {"zero-width space written out", `\u200b`}, {"escape in JSON in JSON", `\\u200b`},
	} {
		add("github-pat/split by a "+gap.name, "got %s here", pat[:15]+gap.text+pat[15:])
		add("aws-access-token/split by a "+gap.name, "got %s here", key[:2]+gap.text+key[2:])
	}
	add("github-pat/letters written out", "got %s here", strings.Replace(pat, "_", `\u005f`, 1))
	add("any/slash written out", `{"secret_key":"%s"}`, random(452, word, 14)+`\/`+random(453, word, 14)+`\u003d`)
	return out
}

func uuid(seed uint64) string {
	h := random(seed, hexes, 32)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

func jwt() planted {
	v := "ey" + "JhbGciOiJIUzI1NiJ9." + "ey" + "JzdWIiOiIxMjM0NTY3ODkwIn0." + random(80, word, 43)
	return planted{"jwt", v, v}
}

// keyBody returns the lines of something like a private key.
func keyBody(seed uint64, width, lines int) []string {
	var out []string
	for i := range lines {
		out = append(out, random(seed+uint64(i), base64, width))
	}
	return append(out, random(seed+99, base64, 22)+"==")
}

func pemLines(label, body string) string {
	return "-----BEGIN " + label + "-----" + body + "-----END " + label + "-----"
}

// pems are keys in the shapes in which output shows them. Each line is a secret of its own.
func pems() []planted {
	var out []planted
	rsa, ssh := "RSA PRIV"+"ATE KEY", "OPENSSH PRIV"+"ATE KEY"
	add := func(name, text string, lines []string) {
		for i, line := range lines {
			out = append(out, planted{fmt.Sprintf("private-key/%s line %d", name, i), text, line})
		}
	}
	body := keyBody(100, 64, 5)
	add("rsa", pemLines(rsa, "\n"+strings.Join(body, "\n")+"\n")+"\n", body)
	add("one line", pemLines("PRIV"+"ATE KEY", strings.Join(body, "")), []string{strings.Join(body, "")})
	add("json", `{"private_key": "`+pemLines("PRIV"+"ATE KEY", `\n`+strings.Join(body, `\n`)+`\n`)+`\n"}`, body)
	add("pytest", "E       "+pemLines(rsa, "\nE       "+strings.Join(body, "\nE       ")+"\nE       "), body)
	add("crlf", pemLines(rsa, "\r\n"+strings.Join(body, "\r\n")+"\r\n"), body)
	sshBody := keyBody(200, 70, 4)
	add("openssh", pemLines(ssh, "\n"+strings.Join(sshBody, "\n")+"\n"), sshBody)
	add("encrypted", pemLines(rsa, "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,"+random(300, hexes, 32)+"\n\n"+strings.Join(body, "\n")+"\n"), body)
	add("no end", "-----BEGIN "+rsa+"-----\n"+strings.Join(body, "\n"), body)
	add("no end in diff", "+-----BEGIN "+rsa+"-----\n+"+strings.Join(body, "\n+")+"\n some context\n", body)
	add("no begin", strings.Join(body[1:], "\n")+"\n-----END "+rsa+"-----\n", body[1:])
	for i, line := range body[:3] {
		out = append(out, planted{fmt.Sprintf("private-key/alone %d", i), line + "\n", line})
	}
	return out
}
