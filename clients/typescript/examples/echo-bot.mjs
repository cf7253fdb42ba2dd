import { createClient } from '@tms/client'

const { TMS_URL, TMS_EMAIL, TMS_API_KEY } = process.env
const client = createClient({ url: TMS_URL, email: TMS_EMAIL, apiKey: TMS_API_KEY })
const me = await client.getOwnUser()

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort())

for await (const event of client.events({ event_types: ['message'], signal: stop.signal })) {
  if (event.type === 'registered') console.log(`${me.full_name} repeats what it is told directly`)
  if (event.type !== 'message' || event.message.type !== 'private') continue
  const { sender_id, content, display_recipient } = event.message
  if (sender_id === me.user_id) continue
  const to = display_recipient.map(({ id }) => id)
  await client.sendMessage({ type: 'direct', to, content: `You said: ${content}` })
}
