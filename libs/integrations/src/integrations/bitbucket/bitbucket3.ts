import { z } from 'zod'
import { defineIntegration, message } from '../../kernel/integration.ts'
import { PayloadError } from '../../kernel/payload-error.ts'
import { handleEvent } from '../../shared/event-table.ts'
import { text } from '../../shared/fields.ts'
import { hmacOfBody } from '../../shared/signatures.ts'
import { serverEvents } from './server-events.ts'

const PING = 'diagnostics:ping'

export const bitbucket3 = defineIntegration({
  name: 'bitbucket3',
  displayName: 'Bitbucket Data Center',
  description: 'Pushes, pull requests and comments of repositories on Bitbucket Server and Data Center.',
  setup: `In the repository or the project on Bitbucket, open **Settings**, **Webhooks**, **Create webhook**:

1. **URL**: \`{url}\`
2. **Secret**: the value of \`webhook_secret\` in the address; leave it empty if the address has none.
3. Choose the events; **Test connection** sends a message at once.`,
  events: [PING, ...serverEvents.keys()],
  parameters: {
    branches: 'Branches whose pushes are shown, separated by commas; `*` stands for any characters.',
  },
  deliveryIdHeader: 'x-request-id',
  signature: hmacOfBody('x-hub-signature', 'sha256='),
  encodesAddressAgain: true,
  payload: z.looseObject({ eventKey: text }),
  format: (delivery) => {
    if (delivery.headers['x-event-key'] === PING)
      return message(PING, 'Bitbucket', 'The webhook of Bitbucket is set up.')
    const { eventKey: event } = delivery.payload
    if (event === '') throw new PayloadError('eventKey: missing')
    return handleEvent(serverEvents, event, delivery)
  },
})
