// A bot as its author wrote it for the reference server: it reads the credentials file that is named on the command line,
// prints messages of users, and replies to greetings.
import zulip from 'zulip-js'

const client = await zulip({ zuliprc: process.argv[2] })
const { user_id: ownId } = await client.users.me.getProfile()

// Of every type: without types the client sends `null`.
await client.callOnEachEvent(({ message }) => {
  if (message === undefined || message.sender_id === ownId) return
  process.stdout.write(`heard: ${message.content}\n`)
  if (message.content !== 'hello') return
  client.messages
    .send({ type: 'private', to: [message.sender_email], content: 'hello to you' })
    // It may have got several greetings, and answer the last while the gateway is down.
    .catch((err) => process.stderr.write(`no reply: ${err.message}\n`))
})
