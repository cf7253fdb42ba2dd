import { z } from 'zod'
import type { IntegrationMessage } from '../../kernel/integration.ts'
import { inline, isOpenable, link, markdown } from '../../shared/markdown.ts'
import { time } from '../../shared/times.ts'

const texts = z.record(z.string(), z.unknown()).nullish()
const text = z.string().nullish()

const alert = z.looseObject({
  status: z.enum(['firing', 'resolved']),
  labels: texts,
  annotations: texts,
  startsAt: text,
  endsAt: text,
  values: texts,
  valueString: text,
  generatorURL: text,
  silenceURL: text,
  imageURL: text,
  fingerprint: text,
})
type Alert = z.output<typeof alert>

export const alerting = z.looseObject({
  alerts: z.array(alert),
  message: text,
  truncatedAlerts: z.number().nullish(),
})

/** A message for each alert. */
export function messagesOfAlerts({
  alerts,
  message,
  truncatedAlerts,
}: z.output<typeof alerting>): readonly IntegrationMessage[] {
  const left = truncatedAlerts ? `\n\n${truncatedAlerts} alert(s) truncated.` : ''
  const introduction = message ? `\n\n${markdown(message)}` : ''
  return alerts.map((each) => ({
    topic: topicOf(each),
    content: `${STATES[each.status]}${introduction}\n\n---\n${linesOf(each).join('\n')}${left}`,
    event: each.status,
  }))
}

const STATES = { firing: ':alert: **FIRING**', resolved: ':checkbox: **RESOLVED**' }

const topicOf = (alert: Alert): string => `[${nameOf(alert) ?? alert.fingerprint ?? 'Unnamed alert'}]`

function nameOf({ labels }: Alert): string | null {
  const name = labels?.alertname
  return typeof name === 'string' && name !== '' ? name : null
}

function linesOf(alert: Alert): readonly string[] {
  const [start, end] = [time(alert.startsAt), time(alert.endsAt)]
  return [
    `**Alert**: ${inline(nameOf(alert) ?? alert.fingerprint ?? 'Unnamed alert')}.`,
    ...(start === null ? [] : [`This alert was triggered at ${start}.`]),
    ...(end === null ? [] : [`This alert was resolved at ${end}.`]),
    ...listOf('Labels', alert.labels),
    ...listOf('Annotations', alert.annotations),
    ...valuesOf(alert),
    ...linksOf(alert),
  ]
}

function listOf(title: string, texts: Readonly<Record<string, unknown>> | null | undefined): string[] {
  const entries = Object.entries(texts ?? {})
  if (entries.length === 0) return []
  return ['', `${title}:`, ...entries.map(([name, value]) => `- ${inline(name)}: ${inline(asText(value))}`)]
}

/** The values by name; as one text where the names are missing. */
function valuesOf({ values, valueString }: Alert): string[] {
  const list = listOf('Values', values)
  return list.length > 0 || !valueString ? list : ['', `Values: ${inline(valueString)}`]
}

function linksOf({ generatorURL, silenceURL, imageURL }: Alert): string[] {
  const links = [
    ['Generator', generatorURL] as const,
    ['Silence', silenceURL] as const,
    ['Image', imageURL] as const,
  ].flatMap(([name, url]) => (isOpenable(url) ? [link(name, url)] : []))
  return links.length === 0 ? [] : ['', links.join(' | ')]
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
