import { z } from 'zod'
import { defineIntegration, message } from '../kernel/integration.ts'
import { inline, isOpenable, link, quote } from '../shared/markdown.ts'

const heartbeat = z.looseObject({
  status: z.number(),
  msg: z.string().nullish(),
  ping: z.number().nullish(),
})
const monitor = z.looseObject({ name: z.string(), url: z.string().nullish() })

const STATES = new Map([
  [0, { event: 'down', text: ':alert: **DOWN**' }],
  [1, { event: 'up', text: ':squared_ok: **UP**' }],
  [2, { event: 'pending', text: ':time_ticking: **PENDING**' }],
  [3, { event: 'maintenance', text: ':working_on_it: **MAINTENANCE**' }],
])

export const uptimekuma = defineIntegration({
  name: 'uptimekuma',
  displayName: 'Uptime Kuma',
  description: 'Monitors that go down, come back or are maintained.',
  setup: `In Uptime Kuma, open *Settings*, *Notifications*, *Setup Notification*, and choose:

* **Notification type**: Webhook
* **Post URL**: \`{url}\`
* **Request body**: Preset - application/json

*Test* sends a message at once.`,
  events: ['down', 'up', 'pending', 'maintenance', 'notice'],
  payload: z.looseObject({
    heartbeat: heartbeat.nullish(),
    monitor: monitor.nullish(),
    msg: z.string().default(''),
  }),
  format: ({ payload }) => {
    const { heartbeat: beat, monitor: monitored, msg } = payload
    const state = beat && STATES.get(beat.status)
    // Tests, and certificates that will expire.
    if (!beat || !monitored || !state) return message('notice', monitored?.name ?? 'Uptime Kuma', inline(msg))
    const name = isOpenable(monitored.url) ? link(monitored.name, monitored.url) : inline(monitored.name)
    const ping = beat.ping ? ` (${beat.ping} ms)` : ''
    const reason = beat.msg ? `\n${quote(beat.msg)}` : ''
    return message(state.event, monitored.name, `${state.text} ${name}${ping}${reason}`)
  },
})
