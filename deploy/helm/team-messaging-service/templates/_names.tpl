{{/* Written by tools/kubernetes.ts. Prefix of the names of objects. */}}
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

{{/* The host that clients use, without a port, which an Ingress can not have. */}}
{{- define "team-messaging-service.host" -}}
{{- regexReplaceAll ":[0-9]+$" .Values.settings.EXTERNAL_HOST "" -}}
{{- end }}

{{/* Parameters: the root and the name of the image. */}}
{{- define "team-messaging-service.image" -}}
{{- with .root.Values.image.registry }}{{ . }}/{{ end }}{{ .name }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion -}}
{{- end }}

{{/* Parameters: a protocol and port numbers. Returns the ports of a network policy. */}}
{{- define "team-messaging-service.ports" -}}
{{- $protocol := index . 0 -}}
{{- $ports := list -}}
{{- range index . 1 }}{{ $ports = append $ports (dict "protocol" $protocol "port" (int .)) }}{{ end -}}
{{- toJson $ports -}}
{{- end }}
