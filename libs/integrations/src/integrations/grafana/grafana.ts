import { z } from 'zod'
import { defineIntegration, type Outcome } from '../../kernel/integration.ts'
import { hmacOfBody } from '../../shared/signatures.ts'
import { legacyAlert, messageOfLegacyAlert } from './legacy-alert.ts'
import { alerting, messagesOfAlerts } from './unified-alerting.ts'

export const grafana = defineIntegration({
  name: 'grafana',
  displayName: 'Grafana',
  description: 'Alerts of Grafana, each under a topic of its own.',
  setup: `In Grafana, open *Alerting*, *Contact points*, *Add contact point*, and choose:

* **Integration**: Webhook
* **URL**: \`{url}\`
* **HTTP method**: POST

To have the sender's signature checked, enter the secret of the address under *HMAC signature*, *Secret*, and leave the
names of the headers empty. Then choose the contact point in a notification policy.`,
  events: ['firing', 'resolved', 'alerting', 'ok', 'pending', 'paused', 'no_data', 'unknown'],
  signature: hmacOfBody('x-grafana-alerting-signature'),
  payload: z.union([alerting, legacyAlert]),
  format: ({ payload }): Outcome => ({
    kind: 'messages',
    messages: payload.alerts === undefined ? [messageOfLegacyAlert(payload)] : messagesOfAlerts(payload),
  }),
})
