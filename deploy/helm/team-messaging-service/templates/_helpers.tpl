{{/* Prefix of the names of objects. */}}
{{- define "tms.prefix" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{/* The Secret's name. */}}
{{- define "tms.secrets" -}}
{{- $ways := 0 -}}
{{- if .Values.secrets.existing }}{{ $ways = add1 $ways }}{{ end -}}
{{- if .Values.secrets.values }}{{ $ways = add1 $ways }}{{ end -}}
{{- if .Values.secrets.external.enabled }}{{ $ways = add1 $ways }}{{ end -}}
{{- if ne (int $ways) 1 }}{{ fail "give the secrets in one way: secrets.existing, secrets.values or secrets.external" }}{{ end -}}
{{- .Values.secrets.existing | default (printf "%s-secrets" (include "tms.prefix" .)) -}}
{{- end }}

{{/* The host that clients use, without a port, which an Ingress cannot have. */}}
{{- define "tms.host" -}}
{{- regexReplaceAll ":[0-9]+$" .Values.settings.EXTERNAL_HOST "" -}}
{{- end }}

{{- define "tms.image" -}}
{{- with .root.Values.image.registry }}{{ . }}/{{ end }}tms-{{ .name }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion -}}
{{- end }}

{{/* Labels that select the pods of a component. Parameters: root, name. */}}
{{- define "tms.selector" -}}
app.kubernetes.io/name: {{ .name }}
{{ include "tms.installation" .root }}
{{- end }}

{{/* Labels of everything. */}}
{{- define "tms.installation" -}}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/part-of: team-messaging-service
{{- end }}

{{/*
Name and labels of an object. Parameters: root, name; step says when apply.sh applies it, prepare, migrate or by default run;
more are further labels.
*/}}
{{- define "tms.metadata" -}}
name: {{ include "tms.prefix" .root }}-{{ .name }}
labels:
  {{- include "tms.selector" . | nindent 2 }}
  tms-step: {{ .step | default "run" }}
  {{- with .more }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/*
The environment of a container. Parameters: root, variables; isServer for those that serve over TLS, with the certificate from a
Secret that cert-manager, for example, renews: a pod doesn't start before the Secret exists.
*/}}
{{- define "tms.environment" -}}
{{- $values := .root.Values -}}
{{- $isServer := .isServer -}}
{{- $prefix := include "tms.prefix" .root -}}
{{- $secrets := include "tms.secrets" .root -}}
{{- $ofServers := dict "TLS_CA" "" "TLS_CERTIFICATE" "tls.crt" "TLS_KEY" "tls.key" -}}
{{- if $isServer }}
- name: SERVE_TLS
  value: {{ $values.tls.enabled | quote }}
{{- end }}
{{- range .variables }}
- name: {{ .name }}
  {{- if .value }}
  value: {{ .value }}
  {{- else if .service }}
  value: {{ ternary "https" "http" $values.tls.enabled }}://{{ $prefix }}-{{ .service }}:8080
  {{- else if .setting }}
  valueFrom:
    configMapKeyRef: { name: {{ $prefix }}-settings, key: {{ .setting }}{{ if .optional }}, optional: true{{ end }} }
  {{- else if and $isServer (hasKey $ofServers .name) }}
  {{- $key := get $ofServers .name }}
  {{- $isOwn := and $values.tls.enabled (ne $key "") }}
  valueFrom:
    secretKeyRef:
      name: {{ ternary $values.tls.secret $secrets $isOwn }}
      key: {{ ternary $key .secret $isOwn }}
      optional: {{ not $values.tls.enabled }}
  {{- else }}
  valueFrom:
    secretKeyRef: { name: {{ $secrets }}, key: {{ .secret }}{{ if .optional }}, optional: true{{ end }} }
  {{- end }}
{{- end }}
{{- end }}

{{/* What all pods have. */}}
{{- define "tms.pod" -}}
# The pods don't use the Kubernetes API, and get the names of services as settings.
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toJson . }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toJson . }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- end }}

{{- define "tms.container-security" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/* Ports of a network policy. Parameters: root, server; protocol, by default TCP. */}}
{{- define "tms.ports" -}}
{{- $protocol := .protocol | default "TCP" -}}
{{- $ports := list -}}
{{- range index .root.Values.networkPolicies.ports .server }}{{ $ports = append $ports (dict "protocol" $protocol "port" (int .)) }}{{ end -}}
{{- toJson $ports -}}
{{- end }}

{{/* The port at which a service takes replies by mail; empty for none. Parameters: root, name. */}}
{{- define "tms.reply-port" -}}
{{- if and (eq .name "users") .root.Values.settings.MAIL_REPLY_ADDRESS }}{{ .root.Values.settings.MAIL_REPLY_PORT | default 2525 }}{{ end }}
{{- end }}
