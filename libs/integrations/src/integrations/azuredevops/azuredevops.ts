import { z } from 'zod'
import { defineIntegration } from '../../kernel/integration.ts'
import { handleEvent } from '../../shared/event-table.ts'
import { text } from '../../shared/fields.ts'
import { azureEvents } from './events.ts'

export const azuredevops = defineIntegration({
  name: 'azuredevops',
  displayName: 'Azure DevOps',
  description: 'Pushes, pull requests, builds and work items of projects on Azure DevOps.',
  setup: `On Azure DevOps, open **Project settings**, **Service hooks**, **Create subscription**, **Web Hooks**:

1. Choose the event and its filters. Each event needs a subscription of its own.
2. **URL**: \`{url}\`; leave **Resource details to send** at *All*.
3. **Test** sends a message about something invented.`,
  events: [...azureEvents.keys()],
  parameters: {
    branches: 'Branches whose pushes are shown, separated by commas; `*` stands for any characters.',
  },
  payload: z.looseObject({ id: text, subscriptionId: text, eventType: z.string() }),
  // The test of a subscription that isn't saved yet always has the same ID.
  deliveryId: ({ id, subscriptionId }) => (/^[0-]*$/.test(subscriptionId) ? null : id),
  format: (delivery) => handleEvent(azureEvents, delivery.payload.eventType, delivery),
})
