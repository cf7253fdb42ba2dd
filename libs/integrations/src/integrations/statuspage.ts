import { z } from 'zod'
import { defineIntegration, message } from '../kernel/integration.ts'
import { PayloadError } from '../kernel/payload-error.ts'
import { listOf, text, url } from '../shared/fields.ts'
import { inline, link, quote } from '../shared/markdown.ts'

const payload = z.looseObject({
  incident: z
    .looseObject({
      name: text,
      status: text,
      impact: text,
      shortlink: url,
      incident_updates: listOf(z.looseObject({ id: text, status: text, body: text })),
    })
    .nullish(),
  component: z.looseObject({ name: text, status: text }).nullish(),
  component_update: z.looseObject({ id: text, old_status: text, new_status: text }).nullish(),
})

const spaced = (status: string): string => inline(status.replaceAll('_', ' ')) || '?'

export const statuspage = defineIntegration({
  name: 'statuspage',
  displayName: 'Statuspage',
  description: 'Incidents and components of a status page of Atlassian’s service.',
  setup: `On the status page, choose **Subscribe to updates**, then the sign of a webhook, and enter \`{url}\` with an e-mail address, which is
notified if deliveries fail.`,
  events: ['incident', 'component'],
  payload,
  deliveryId: ({ incident, component_update: update }) => incident?.incident_updates[0]?.id || update?.id,
  format: ({ payload }) => {
    const { incident, component, component_update: update } = payload
    if (incident) {
      // The newest comes first.
      const [newest] = incident.incident_updates
      const title = incident.name || 'Incident'
      const impact =
        incident.impact === '' || incident.impact === 'none' ? '' : ` (${spaced(incident.impact)} impact)`
      const head = `**${link(title, incident.shortlink)}**${impact} is **${spaced(newest?.status || incident.status)}**`
      const body = newest?.body.trim() ?? ''
      return message('incident', title, body === '' ? `${head}.` : `${head}:\n\n${quote(body)}`)
    }
    if (!component || !update) throw new PayloadError('incident: missing, as is component_update')
    const title = component.name || 'Component'
    const [from, to] = [update.old_status, update.new_status || component.status].map(spaced)
    return message('component', title, `**${inline(title)}** has changed from **${from}** to **${to}**.`)
  },
})
