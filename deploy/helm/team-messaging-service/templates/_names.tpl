{{/* Written by tools/kubernetes.mjs. What names of objects begin with. */}}
{{- define "team-messaging-service.fullname" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "team-messaging-service.secrets" -}}
{{- $ways := 0 -}}
{{- if .Values.secrets.existing }}{{ $ways = add1 $ways }}{{ end -}}
{{- if .Values.secrets.values }}{{ $ways = add1 $ways }}{{ end -}}
{{- if .Values.secrets.external.enabled }}{{ $ways = add1 $ways }}{{ end -}}
{{- if ne (int $ways) 1 }}{{ fail "give the secrets in one way: secrets.existing, secrets.values or secrets.external" }}{{ end -}}
{{- .Values.secrets.existing | default (printf "%s-secrets" (include "team-messaging-service.fullname" .)) -}}
{{- end }}

{{/* Where clients find it, without a port, which an Ingress has no place for. */}}
{{- define "team-messaging-service.host" -}}
{{- regexReplaceAll ":[0-9]+$" .Values.settings.EXTERNAL_HOST "" -}}
{{- end }}

{{/* Takes the root and the name of the image. */}}
{{- define "team-messaging-service.image" -}}
{{- with .root.Values.image.registry }}{{ . }}/{{ end }}{{ .name }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion -}}
{{- end }}

{{/* Takes a protocol and numbers of ports, gives what network policies say of them. */}}
{{- define "team-messaging-service.ports" -}}
{{- $protocol := index . 0 -}}
{{- $ports := list -}}
{{- range index . 1 }}{{ $ports = append $ports (dict "protocol" $protocol "port" (int .)) }}{{ end -}}
{{- toJson $ports -}}
{{- end }}
