// Tests the deployment with Compose: builds the images, starts them in a project of its own, uses the system as operators and
// clients do, stops and starts everything, checks that no data are lost, and removes everything.
//
//   node deploy/try.mjs              some minutes, most of them for the images
//   node deploy/try.mjs --no-build   with existing images
//
// README.md in this folder lists variables for builds without open access to the internet. Is skipped without Docker and
// Compose. A failed step skips only the steps that depend on it. The last line is `N passed, N failed`, with the number of
// skipped steps if there are any.
import { readFileSync } from 'node:fs'
import { serviceNames } from '../tools/service-names.ts'
import { createTrial, expect, until } from './trial.mjs'
import { PICTURE } from './trial-client.mjs'
import { createSteps, repeatDuring } from './trial-steps.mjs'

const IMAGES = [...serviceNames, 'first-organization']
/** How much an image may add to Node's. */
const MAX_MB = 180
/** Packages for building and testing only. */
const DEV_PACKAGES = /^(typescript|jest|@jest\+|vite|vitest|@vitest\+|@biomejs\+|prisma@|oxlint|knip)/
/** Two uploads a second stay below the limit of 200 calls a minute. */
const UPLOAD_PAUSE_MS = 500

const trial = await createTrial()
if (!trial) {
  console.log('skipped: Docker with Compose does not answer here\n0 passed, 0 failed')
  process.exit(0)
}
const { compose, sendWithinLimits, call, manage } = trial
const { stepAfter, fail, hasFailed, finish } = createSteps()

try {
  const images = await buildImages()
  const running = await stepAfter([images], 'everything starts', trial.start)
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
  trial.remove()
}
finish()

async function buildImages() {
  const builds = !process.argv.includes('--no-build')
  const images = builds
    ? await stepAfter([], 'images are built', () => compose(['build'], { stdout: 'inherit' }))
    : await stepAfter([], 'images exist', () => IMAGES.forEach(trial.inspect))
  if (builds) await stepAfter([images], 'a rebuilt image has the same content', buildAgain)
  for (const image of IMAGES)
    await stepAfter([images], `tms-${image} runs as an ordinary user, with only what it needs`, () =>
      inspect(image),
    )
  return images
}

async function signIn(running) {
  const organization = await stepAfter([running], 'an organization is created', () =>
    manage('create-organization', 'sales', '--name', 'Sales', '--owner-email', 'boss@example.com'),
  )
  return stepAfter([organization], 'its owner signs in', async ({ owner: { email, password } }) => {
    const { api_key: key } = await call('POST', '/fetch_api_key', { form: { username: email, password } })
    return { email, auth: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` }
  })
}

/** Creates content that the later steps must not lose: a file, pictures, a message, an event queue. */
async function createContent(owner) {
  const queue = await stepAfter([owner], 'an event queue is registered', ({ auth }) =>
    call('POST', '/register', { auth, form: { event_types: '["message"]' } }),
  )
  const file = await stepAfter([owner], 'a file is uploaded', async ({ auth }) => {
    const { uri, url } = await call('POST', '/user_uploads', { auth, file: 'notes.txt' })
    return uri ?? url
  })
  const pictures = await stepAfter(
    [owner],
    'the organization and its owner get pictures',
    async ({ auth }) => {
      await call('POST', '/realm/icon', { auth, file: 'icon.png' })
      await call('POST', '/users/me/avatar', { auth, file: 'me.png' })
    },
  )
  const message = await stepAfter([queue, owner, file], 'a message is sent', async (_, { auth }, path) => {
    const { id } = await say(auth, `See [notes](${path}).`)
    return id
  })
  const received = await stepAfter(
    [owner, queue, message],
    'and received by an event queue',
    async ({ auth }, { queue_id, last_event_id }, id) => {
      const { events } = await poll(auth, queue_id, last_event_id)
      expect(events[0]?.message?.id === id, `message ${id} instead of ${JSON.stringify(events)}`)
      return { queueId: queue_id, lastEventId: events[0].id }
    },
  )
  return { file, pictures, message, received }
}

async function operate(running, owner) {
  await stepAfter([owner], 'a password is changed, and a mail sent', async ({ email }) => {
    await manage('reset-password', 'sales', email)
    const list = ['exec', '-T', 'users', 'ls', '/uploads/mails']
    await until(() => compose(list, { mayFail: true }).includes('.eml'), 'a mail')
  })
  await stepAfter([running], 'the projections of all services are correct', () => {
    const { services } = manage('replay')
    expect(
      services.every(({ replay }) => replay.repaired === 0),
      JSON.stringify(services),
    )
  })
}

async function stopAndStart(running, owner, { file, pictures, message, received }) {
  const stopped = await stepAfter([running], 'everything stops', () => compose(['down', '--timeout=30']))
  const restarted = await stepAfter([stopped], 'and starts again', trial.start)
  await stepAfter(
    [owner, message, file, pictures, restarted],
    'the message, the file and the pictures still exist',
    async ({ auth }, id, path) => {
      const { message: stored } = await call('GET', `/messages/${id}`, { auth })
      expect(stored.content.includes('notes'), stored.content)
      await expectFile(auth, path)
      for (const url of [stored.avatar_url, (await call('GET', '/server_settings')).realm_icon]) {
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
      const { id: next } = await say(auth, 'Still here?')
      const { events } = await poll(auth, queueId, lastEventId)
      expect(events.length === 1 && events[0].message?.id === next, JSON.stringify(events))
    },
  )
  return restarted
}

/** Runs the commands of docs/operating.md. */
async function backUpAndRestore(restarted, owner, { file, message }) {
  const backedUp = await stepAfter(
    [owner, restarted],
    'a backup is made while files are uploaded',
    ({ auth }) =>
      repeatDuring(
        trial.runDocumented(readDocumentedCommands('backing up')),
        (count) => call('POST', '/user_uploads', { auth, file: `${count}.png` }),
        UPLOAD_PAUSE_MS,
      ),
  )
  const changed = await stepAfter(
    [owner, file, backedUp],
    'then a message is sent, and a file is lost',
    async ({ auth }, path) => {
      const { id } = await say(auth, 'After the backup')
      const folder = path.split('/').at(-2)
      const find = ['find', '/uploads', '-type', 'f', '-path', `*${folder}*`, '-print', '-delete']
      expect(compose(['exec', '-T', 'messaging', ...find]).trim() !== '', `no file is stored for ${path}`)
      return id
    },
  )
  // The gateway doesn't answer while it starts.
  const read = async (auth, id) =>
    (await sendWithinLimits('GET', `/api/v1/messages/${id}`, { auth }).catch(() => null))?.status
  const restored = await stepAfter(
    [owner, message, changed],
    'the backup is restored',
    async ({ auth }, stored) => {
      await trial.runDocumented(readDocumentedCommands('restoring'))
      await until(async () => (await read(auth, stored)) === 200, 'the message of before the backup')
    },
  )
  await stepAfter(
    [owner, file, changed, restored],
    'everything is as at the backup, the file too, and works',
    async ({ auth }, path, lost) => {
      expect((await read(auth, lost)) === 400, 'the message after the backup exists')
      await expectFile(auth, path)
      const { id } = await say(auth, 'After the restore')
      expect(id > lost, `${id} after ${lost}`)
    },
  )
}

async function deactivateAndReactivate(restarted, owner) {
  await stepAfter([owner, restarted], 'an organization is deactivated and reactivated', async ({ auth }) => {
    manage('deactivate-organization', 'sales', '--yes')
    const isOpen = async () => (await sendWithinLimits('GET', '/api/v1/users/me', { auth })).status === 200
    await until(async () => !(await isOpen()), 'the organization to close')
    manage('reactivate-organization', 'sales')
    await until(isOpen, 'the organization to open')
  })
}

function say(auth, content) {
  return call('POST', '/messages', {
    auth,
    form: { type: 'stream', to: 'general', topic: 'trying', content },
  })
}

function poll(auth, queueId, lastEventId) {
  return call('GET', `/events?queue_id=${queueId}&last_event_id=${lastEventId}`, { auth })
}

async function expectFile(auth, path) {
  const { status, body } = await sendWithinLimits('GET', path, { auth })
  expect(status === 200 && body.equals(PICTURE), `the file ${path}: ${status}`)
}

/** Reads a block of commands from the document for operators. */
function readDocumentedCommands(name) {
  const text = readFileSync(new URL('../docs/operating.md', import.meta.url), 'utf8')
  const [, block] = text.split(`<!-- try.mjs runs this: ${name} -->\n\n\`\`\`sh\n`)
  return block.split('```')[0]
}

/** Fails if two builds of the same sources differ in a file's content, mode, owner or date. */
function buildAgain() {
  const image = 'realm'
  const { Id: first } = trial.inspect(image)
  const before = contentsOf(image)
  // Compose builds this image by the service that migrates its database.
  compose(['build', '--no-cache', 'migrate-realm'], { stdout: 'inherit' })
  expect(trial.inspect(image).Id !== first, 'the image was not built again')
  const after = contentsOf(image)
  const different = [
    ...[...before].filter((line) => !after.has(line)),
    ...[...after].filter((line) => !before.has(line)),
  ]
  expect(different.length === 0, `${different.length} differ: ${different.slice(0, 5).join('; ')}`)
}

/** The content of the project's folders in an image, a line for each file. */
function contentsOf(image) {
  const folders = '/app /manage -mindepth 1'
  return new Set(
    trial.inImage(
      image,
      `find ${folders} -printf '%p %l %M %U:%G %T@\\n'; find ${folders} -type f -exec sha256sum {} +`,
    ),
  )
}

/** Fails if an image runs as root, is too large, lacks labels or a health check, or has packages for developers. */
function inspect(image) {
  const { Labels: labels, Healthcheck: check } = trial.inspect(image).Config
  for (const label of ['title', 'version', 'revision', 'vendor'])
    expect(labels?.[`org.opencontainers.image.${label}`], `it has no label ${label}`)
  expect(check || !serviceNames.includes(image), 'it has no health check')
  const [user, size, ...packages] = trial.inImage(
    image,
    'id -u; du -cm /app /manage 2>/dev/null | tail -1 | cut -f1; ls node_modules/.pnpm',
  )
  expect(user === '1000', `it runs as user ${user}`)
  expect(Number(size) <= MAX_MB, `it has ${size} MB beside Node's image`)
  const needless = packages.filter((name) => DEV_PACKAGES.test(name))
  expect(needless.length === 0, `it has ${needless.join(', ')}`)
}
