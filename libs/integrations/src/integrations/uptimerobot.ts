import { z } from 'zod'
import { defineIntegration, message, unsupported } from '../kernel/integration.ts'
import { inline } from '../shared/markdown.ts'

const text = z.union([z.string(), z.number()]).transform(String)

export const uptimerobot = defineIntegration({
  name: 'uptimerobot',
  displayName: 'UptimeRobot',
  description: 'Monitors that go down or come back.',
  setup: `At UptimeRobot, add an alert contact of the type *Webhook*, check *Send as JSON*, and enter:

* **URL to notify**: \`{url}\`
* **POST value**:

\`\`\`json
{
  "monitor_url": "*monitorURL*",
  "monitor_friendly_name": "*monitorFriendlyName*",
  "alert_type_friendly_name": "*alertTypeFriendlyName*",
  "alert_details": "*alertDetails*",
  "alert_friendly_duration": "*alertFriendlyDuration*"
}
\`\`\`

Then choose the contact in the monitors.`,
  events: ['up', 'down'],
  payload: z.looseObject({
    monitor_url: text,
    monitor_friendly_name: text,
    alert_type_friendly_name: text,
    alert_details: text,
    alert_friendly_duration: text.nullish(),
  }),
  format: ({ payload }) => {
    const { monitor_friendly_name: name, alert_friendly_duration: duration } = payload
    const event = payload.alert_type_friendly_name.toLowerCase()
    const monitor = `${inline(name)} (${inline(payload.monitor_url)})`
    const details = `(${inline(payload.alert_details)}).`
    if (event === 'down') return message(event, name, `${monitor} is DOWN ${details}`)
    if (event !== 'up') return unsupported(event)
    const lasted = duration ? `\nIt was down for ${inline(duration)}.` : ''
    return message(event, name, `${monitor} is back UP ${details}${lasted}`)
  },
})
