// Tests the deployment with Compose: builds the images, starts them in a project of its own, uses the system as operators and
// clients do, stops and starts everything, checks that no data are lost, and removes everything.
//
//   node tests/trials/compose.ts              some minutes, most of them for the images
//   node tests/trials/compose.ts --no-build   with existing images
//
// deploy/README.md lists variables for builds without open access to the internet. Is skipped without Docker and Compose. A
// failed step skips only the steps that depend on it. The last line is `N passed, N failed`, with the number of skipped steps
// if there are any.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '../../tools/repo-root.ts'
import { serviceNames } from '../../tools/service-names.ts'
import { buildAgain, IMAGES, inspectImage } from './compose/images.ts'
import { PICTURE } from './support/client.ts'
import { createProject } from './support/compose-project.ts'
import { until } from './support/programs.ts'
import { createSteps, expect, type Outcome, repeatDuring } from './support/steps.ts'

/** Two uploads a second stay below the limit of 200 calls a minute. */
const UPLOAD_PAUSE_MS = 500

interface Owner {
  email: string
  auth: string
}
interface Poll {
  events: { id: number; message?: { id: number } }[]
}
/** Content that no step may lose. */
interface Content {
  file: Outcome<string>
  pictures: Outcome<void>
  message: Outcome<number>
  received: Outcome<{ queueId: string; lastEventId: number }>
}

const project = await createProject()
const { compose, sendWithinLimits, call, manage } = project
const { stepAfter, fail, hasFailed, finish } = createSteps()

try {
  const images = await buildImages()
  const running = await stepAfter([images], 'everything starts', project.start)
  const owner = await signIn(running)
  const content = await createContent(owner)
  await operate(running, owner)
  const restarted = await stopAndStart(running, owner, content)
  await backUpAndRestore(restarted, owner, content)
  await deactivateAndReactivate(restarted, owner)
} catch (err) {
  fail(err)
} finally {
  if (hasFailed()) {
    for (const service of serviceNames)
      console.error(compose(['logs', '--tail=5', service], { mayFail: true }).slice(-2_000))
  }
  project.remove()
}
finish()

async function buildImages(): Promise<Outcome<unknown>> {
  const builds = !process.argv.includes('--no-build')
  const images = builds
    ? await stepAfter([], 'images are built', () => compose(['build'], { stdout: 'inherit' }))
    : await stepAfter([], 'images exist', () => IMAGES.forEach(project.inspect))
  if (builds) await stepAfter([images], 'a rebuilt image has the same content', () => buildAgain(project))
  for (const image of IMAGES)
    await stepAfter([images], `tms-${image} runs as an ordinary user, with only what it needs`, () =>
      inspectImage(project, image),
    )
  return images
}

async function signIn(running: Outcome<unknown>): Promise<Outcome<Owner>> {
  const organization = await stepAfter([running], 'an organization is created', () =>
    manage<{ owner: { email: string; password: string } }>(
      ...['create-organization', 'sales', '--name', 'Sales', '--owner-email', 'boss@example.com'],
    ),
  )
  return stepAfter([organization], 'its owner signs in', async ({ owner: { email, password } }) => {
    const form = { username: email, password }
    const { api_key: key } = await call<{ api_key: string }>('POST', '/fetch_api_key', { form })
    return { email, auth: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` }
  })
}

async function createContent(owner: Outcome<Owner>): Promise<Content> {
  const queue = await stepAfter([owner], 'an event queue is registered', ({ auth }) =>
    call<{ queue_id: string; last_event_id: number }>('POST', '/register', {
      auth,
      form: { event_types: '["message"]' },
    }),
  )
  const file = await stepAfter([owner], 'a file is uploaded', async ({ auth }) => {
    const { url } = await call<{ url: string }>('POST', '/user_uploads', { auth, file: 'notes.txt' })
    return url
  })
  const pictures = await stepAfter(
    [owner],
    'the organization and its owner get pictures',
    async ({ auth }) => {
      await call('POST', '/realm/icon', { auth, file: 'icon.png' })
      await call('POST', '/users/me/avatar', { auth, file: 'me.png' })
    },
  )
  const message = await stepAfter([queue, owner, file], 'a message is sent', (_, { auth }, path) =>
    say(auth, `See [notes](${path}).`),
  )
  const received = await stepAfter(
    [owner, queue, message],
    'and received by an event queue',
    async ({ auth }, { queue_id, last_event_id }, id) => {
      const { events } = await poll(auth, queue_id, last_event_id)
      const [event] = events
      expect(event?.message?.id === id, `message ${id} instead of ${JSON.stringify(events)}`)
      return { queueId: queue_id, lastEventId: event.id }
    },
  )
  return { file, pictures, message, received }
}

async function operate(running: Outcome<unknown>, owner: Outcome<Owner>): Promise<void> {
  await stepAfter([owner], 'a password is changed, and a mail sent', async ({ email }) => {
    manage('reset-password', 'sales', email)
    const list = ['exec', '-T', 'users', 'ls', '/uploads/mails']
    await until(() => compose(list, { mayFail: true }).includes('.eml'), 'a mail')
  })
  await stepAfter([running], 'the projections of all services are correct', () => {
    const { services } = manage<{ services: { replay: { repaired: number } }[] }>('replay')
    expect(
      services.every(({ replay }) => replay.repaired === 0),
      JSON.stringify(services),
    )
  })
}

async function stopAndStart(
  running: Outcome<unknown>,
  owner: Outcome<Owner>,
  { file, pictures, message, received }: Content,
): Promise<Outcome<void>> {
  const stopped = await stepAfter([running], 'everything stops', () => compose(['down', '--timeout=30']))
  const restarted = await stepAfter([stopped], 'and starts again', project.start)
  await stepAfter(
    [owner, message, file, pictures, restarted],
    'the message, the file and the pictures still exist',
    async ({ auth }, id, path) => {
      const { message: stored } = await call<{ message: { content: string; avatar_url: string } }>(
        ...(['GET', `/messages/${id}`, { auth }] as const),
      )
      expect(stored.content.includes('notes'), stored.content)
      await expectFile(auth, path)
      const { realm_icon: icon } = await call<{ realm_icon: string }>('GET', '/server_settings')
      for (const url of [stored.avatar_url, icon]) {
        const { pathname, search } = new URL(url, 'http://localhost')
        const { status } = await sendWithinLimits('GET', pathname + search, { auth })
        expect(status === 200, `${url}: ${status}`)
      }
    },
  )
  await stepAfter(
    [owner, received, restarted],
    'the event queue continues',
    async ({ auth }, { queueId, lastEventId }) => {
      const next = await say(auth, 'Still here?')
      const { events } = await poll(auth, queueId, lastEventId)
      expect(events.length === 1 && events[0]?.message?.id === next, JSON.stringify(events))
    },
  )
  return restarted
}

/** Runs the commands of docs/operating.md. */
async function backUpAndRestore(
  restarted: Outcome<void>,
  owner: Outcome<Owner>,
  { file, message }: Content,
): Promise<void> {
  const backedUp = await stepAfter(
    [owner, restarted],
    'a backup is made while files are uploaded',
    ({ auth }) =>
      repeatDuring(
        project.runDocumented(readDocumentedCommands('backing up')),
        (count) => call('POST', '/user_uploads', { auth, file: `${count}.png` }),
        UPLOAD_PAUSE_MS,
      ),
  )
  const changed = await stepAfter(
    [owner, file, backedUp],
    'then a message is sent, and a file is lost',
    async ({ auth }, path) => {
      const id = await say(auth, 'After the backup')
      const folder = path.split('/').at(-2)
      const find = ['find', '/uploads', '-type', 'f', '-path', `*${folder}*`, '-print', '-delete']
      expect(compose(['exec', '-T', 'messaging', ...find]).trim() !== '', `no file is stored for ${path}`)
      return id
    },
  )
  // The gateway doesn't answer while it starts.
  const read = async (auth: string, id: number) =>
    (await sendWithinLimits('GET', `/api/v1/messages/${id}`, { auth }).catch(() => null))?.status
  const restored = await stepAfter(
    [owner, message, changed],
    'the backup is restored',
    async ({ auth }, stored) => {
      await project.runDocumented(readDocumentedCommands('restoring'))
      await until(async () => (await read(auth, stored)) === 200, 'the message of before the backup')
    },
  )
  await stepAfter(
    [owner, file, changed, restored],
    'everything is as at the backup, the file too, and works',
    async ({ auth }, path, lost) => {
      expect((await read(auth, lost)) === 400, 'the message after the backup exists')
      await expectFile(auth, path)
      const id = await say(auth, 'After the restore')
      expect(id > lost, `${id} after ${lost}`)
    },
  )
}

async function deactivateAndReactivate(restarted: Outcome<void>, owner: Outcome<Owner>): Promise<void> {
  await stepAfter([owner, restarted], 'an organization is deactivated and reactivated', async ({ auth }) => {
    manage('deactivate-organization', 'sales', '--yes')
    const isOpen = async () => (await sendWithinLimits('GET', '/api/v1/users/me', { auth })).status === 200
    await until(async () => !(await isOpen()), 'the organization to close')
    manage('reactivate-organization', 'sales')
    await until(isOpen, 'the organization to open')
  })
}

/** Sends a message and returns its ID. */
async function say(auth: string, content: string): Promise<number> {
  const form = { type: 'stream', to: 'general', topic: 'trying', content }
  return (await call<{ id: number }>('POST', '/messages', { auth, form })).id
}

function poll(auth: string, queueId: string, lastEventId: number): Promise<Poll> {
  return call('GET', `/events?queue_id=${queueId}&last_event_id=${lastEventId}`, { auth })
}

async function expectFile(auth: string, path: string): Promise<void> {
  const { status, body } = await sendWithinLimits('GET', path, { auth })
  expect(status === 200 && body.equals(PICTURE), `the file ${path}: ${status}`)
}

/** Reads a block of commands from the document for operators. */
function readDocumentedCommands(name: string): string {
  const text = readFileSync(join(repoRoot, 'docs', 'operating.md'), 'utf8')
  const [, block] = text.split(`<!-- tests/trials/compose.ts runs this: ${name} -->\n\n\`\`\`sh\n`)
  expect(block !== undefined, `docs/operating.md has no commands for ${name}`)
  return block.split('```')[0] ?? ''
}
