/**
 * The scripts that run on a machine. They are Go templates: what a param holds comes in as JSON on one line of a quoted
 * here-document, percent-encoded, or with everything special escaped, so that no value can become part of a program. The
 * token is never on a command line.
 */

/** Renders the request of the action: `{"callback/action": "..."}`. ParamAsJSON ends with its own newline. */
const BODY = '{"callback/action": {{ .ParamAsJSON "callback/action" }}}';
const ADDRESS =
  '{{ .ApiURL }}/api/v3/machines/{{ .Machine.UUID }}/actions/callbackDo' +
  '{{ if .Param "callback/plugin" }}?plugin={{ urlquery (.Param "callback/plugin") }}{{ end }}';
const MACHINE_ADDRESS = '{{ .ApiURL }}/api/v3/machines/{{ .Machine.UUID }}';

/** The service has a certificate of its own making, which a machine cannot check: it came from there in the first place. */
const SH_REQUEST = `# request METHOD ADDRESS TYPE: sends standard input; prints the answer; status 1 when it is refused.
request() {
  body=$(mktemp) || exit 1
  answer=$(mktemp) || exit 1
  trap 'rm -f "$body" "$answer"' EXIT
  cat > "$body"
  if command -v curl >/dev/null 2>&1; then
    code=$(curl -k -sS -X "$1" -o "$answer" -w '%{http_code}' -H "Content-Type: $3" -H 'Accept: application/json' \\
      --data-binary "@$body" -K - "$2" <<EOC
header = "Authorization: Bearer $TOKEN"
EOC
    ) || { echo "The service at $2 cannot be reached." >&2; return 1; }
    cat "$answer"
    echo
    case "$code" in
      2??) return 0 ;;
    esac
    echo "The service answered with status $code." >&2
    return 1
  fi
  if command -v python3 >/dev/null 2>&1; then
    TOKEN="$TOKEN" python3 -c '
import os, ssl, sys, urllib.error, urllib.request
method, address, kind, body = sys.argv[1:5]
context = ssl._create_unverified_context()
request = urllib.request.Request(address, data=open(body, "rb").read(), method=method, headers={
    "Authorization": "Bearer " + os.environ["TOKEN"], "Content-Type": kind, "Accept": "application/json"})
try:
    with urllib.request.urlopen(request, context=context) as answer:
        print(answer.read().decode("utf-8", "replace"))
except urllib.error.HTTPError as error:
    print(error.read().decode("utf-8", "replace"))
    sys.exit("The service answered with status %d." % error.code)
except OSError as error:
    sys.exit("The service at %s cannot be reached: %s" % (address, error))
' "$1" "$2" "$3" "$body"
    return $?
  fi
  if command -v wget >/dev/null 2>&1; then
    settings=$(mktemp) || exit 1
    printf 'header = Authorization: Bearer %s\\n' "$TOKEN" > "$settings"
    WGETRC="$settings" wget --no-check-certificate -q -O "$answer" --content-on-error --method="$1" \\
      --header="Content-Type: $3" --header='Accept: application/json' --body-file="$body" "$2"
    result=$?
    rm -f "$settings"
    cat "$answer"
    echo
    [ "$result" -eq 0 ] && return 0
    echo "The request to $2 failed (wget status $result)." >&2
    return 1
  fi
  echo "A callback needs curl, python3 or wget on the machine." >&2
  return 1
}
`;

const SH_HEAD = `#!/bin/sh
umask 077
TOKEN='{{ .GenerateToken }}'
`;

export const CALLBACK_SH = `${SH_HEAD}
{{ if .Param "callback/skip" -}}
echo "callback/skip is true: no callback is made."
exit 0
{{ end -}}
{{ if not (.Param "callback/action") -}}
echo "The param callback/action names no callback." >&2
exit 1
{{ end -}}
${SH_REQUEST}
request POST '${ADDRESS}' application/json <<'END_OF_BODY'
${BODY}
END_OF_BODY
[ $? -eq 0 ] || { echo "The callback failed." >&2; exit 1; }
exit 0
`;

export const LOCK_SH = `${SH_HEAD}
${SH_REQUEST}
request PATCH '${MACHINE_ADDRESS}' application/json >/dev/null <<'END_OF_BODY'
[{"op": "replace", "path": "/Locked", "value": true}]
END_OF_BODY
[ $? -eq 0 ] || { echo "The machine could not be locked." >&2; exit 1; }
echo "The machine is locked."
exit 0
`;

const PS_HEAD = `$ErrorActionPreference = 'Stop'
$token = '{{ .GenerateToken }}'
[System.Net.ServicePointManager]::SecurityProtocol = [System.Net.SecurityProtocolType]::Tls12
[System.Net.ServicePointManager]::ServerCertificateValidationCallback = { $true }
function Send-Request($method, $address, $body) {
  $options = @{
    Method = $method; Uri = $address; Body = [System.Text.Encoding]::UTF8.GetBytes($body)
    ContentType = 'application/json'; UseBasicParsing = $true
    Headers = @{ Authorization = "Bearer $token"; Accept = 'application/json' }; TimeoutSec = 0
  }
  if ($PSVersionTable.PSVersion.Major -ge 6) { $options['SkipCertificateCheck'] = $true }
  try {
    Write-Output (Invoke-WebRequest @options).Content
  } catch {
    if ($_.ErrorDetails) { Write-Output $_.ErrorDetails.Message }
    [Console]::Error.WriteLine("The request to $address failed: $($_.Exception.Message)")
    exit 1
  }
}
`;

export const CALLBACK_PS1 = `${PS_HEAD}
{{ if .Param "callback/skip" -}}
Write-Output 'callback/skip is true: no callback is made.'
exit 0
{{ end -}}
{{ if not (.Param "callback/action") -}}
[Console]::Error.WriteLine('The param callback/action names no callback.')
exit 1
{{ end -}}
$body = @'
${BODY}
'@
Send-Request 'POST' '${ADDRESS}' $body
exit 0
`;

export const LOCK_PS1 = `${PS_HEAD}
Send-Request 'PATCH' '${MACHINE_ADDRESS}' '[{"op": "replace", "path": "/Locked", "value": true}]' | Out-Null
Write-Output 'The machine is locked.'
exit 0
`;

const PY_HEAD = `#!/usr/bin/env python3
import ssl
import sys
import urllib.error
import urllib.request

TOKEN = '{{ .GenerateToken }}'


def request(method, address, body):
    asked = urllib.request.Request(address, data=body.encode('utf-8'), method=method, headers={
        'Authorization': 'Bearer ' + TOKEN, 'Content-Type': 'application/json', 'Accept': 'application/json'})
    try:
        with urllib.request.urlopen(asked, context=ssl._create_unverified_context()) as answer:
            return answer.read().decode('utf-8', 'replace')
    except urllib.error.HTTPError as error:
        print(error.read().decode('utf-8', 'replace'))
        sys.exit('The service answered with status %d.' % error.code)
    except OSError as error:
        sys.exit('The service at %s cannot be reached: %s' % (address, error))

`;

export const CALLBACK_PY = `${PY_HEAD}
{{ if .Param "callback/skip" -}}
print('callback/skip is true: no callback is made.')
sys.exit(0)
{{ end -}}
{{ if not (.Param "callback/action") -}}
sys.exit('The param callback/action names no callback.')
{{ end -}}
BODY = '{"callback/action": {{ js (.ParamAsJSON "callback/action") }}}'
print(request('POST', '${ADDRESS}', BODY))
`;

export const LOCK_PY = `${PY_HEAD}
request('PATCH', '${MACHINE_ADDRESS}', '[{"op": "replace", "path": "/Locked", "value": true}]')
print('The machine is locked.')
`;
