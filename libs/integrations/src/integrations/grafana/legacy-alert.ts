import { z } from 'zod'
import type { IntegrationMessage } from '../../kernel/integration.ts'
import { inline, isOpenable, link, markdown } from '../../shared/markdown.ts'

const text = z.string().nullish()
const match = z.looseObject({
  metric: text,
  value: z.union([z.number(), z.string()]).nullish(),
})

/** What Grafana sent before its unified alerting. */
export const legacyAlert = z.looseObject({
  alerts: z.undefined().optional(),
  title: z.string(),
  state: z.enum(['alerting', 'ok', 'pending', 'paused', 'no_data', 'unknown']),
  ruleName: text,
  ruleUrl: text,
  message: text,
  imageUrl: text,
  evalMatches: z.array(match).nullish(),
})

const ICONS = {
  alerting: ':alert:',
  ok: ':squared_ok:',
  pending: ':info:',
  paused: ':info:',
  no_data: ':warning:',
  unknown: ':warning:',
}

export function messageOfLegacyAlert(alert: z.output<typeof legacyAlert>): IntegrationMessage {
  const { title, state, ruleName, ruleUrl, message, imageUrl, evalMatches } = alert
  const metrics = (evalMatches ?? []).map(
    ({ metric, value }) => `**${inline(metric ?? '')}:** ${inline(String(value ?? ''))}`,
  )
  const paragraphs = [
    `${ICONS[state]} **${state.toUpperCase().replace('_', ' ')}**`,
    link(ruleName || title, ruleUrl),
    markdown(message ?? ''),
    metrics.join('\n'),
    isOpenable(imageUrl) ? link('Click to view visualization', imageUrl) : '',
  ]
  return {
    topic: title,
    content: paragraphs.filter((paragraph) => paragraph !== '').join('\n\n'),
    event: state,
  }
}
