// Tries out what this folder deploys: builds the images, starts them with Compose beside whatever else runs, uses them as
// operators and clients do, stops and starts everything, sees that nothing is lost, and removes it all again.
//
//   node deploy/try.mjs              some minutes, most of them for the images
//   node deploy/try.mjs --no-build   with the images that there are
//
// Variables that help the build where the network is not the open internet are those of README.md beside this file. Where no
// Docker with Compose is, it says so and ends well. The last line is `N passed, N failed`.
import { readFileSync } from 'node:fs'
import { serviceNames } from '../tools/service-names.mjs'
import { createSteps, createTrial, expect, PICTURE, until } from './trial.mjs'

const IMAGES = [...serviceNames, 'first-organization']
/** What an image may have beside Node's. */
const MAX_MB = 180
/** Packages that only building and testing need. */
const DEV_PACKAGES = /^(typescript|jest|@jest\+|@swc\+|@biomejs\+|prisma@|oxlint|knip)/

const trial = await createTrial()
if (!trial) {
  console.log('skipped: Docker with Compose does not answer here\n0 passed, 0 failed')
  process.exit(0)
}
const { compose, send, call, manage } = trial
const { step, fail, tell } = createSteps()

try {
  if (!process.argv.includes('--no-build')) {
    await step('images are built', () => compose(['build'], { stdout: 'inherit' }))
    await step('built again from nothing, an image holds the same', buildAgain)
  }
  for (const image of IMAGES)
    await step(`tms-${image} runs as nobody special, with what it needs`, () => inspect(image))
  await walkThrough()
} catch (err) {
  fail(err)
  for (const service of serviceNames)
    console.error(compose(['logs', '--tail=5', service], { mayFail: true }).slice(-2_000))
} finally {
  trial.remove()
}
tell()

/** What operators and clients do, before and after everything was stopped. */
async function walkThrough() {
  await step('everything starts', trial.start)
  const { owner } = await step('an organization is created', () =>
    manage('create-organization', 'sales', '--name', 'Sales', '--owner-email', 'boss@example.com'),
  )
  const { api_key: key } = await step('its owner signs in', () =>
    call('POST', '/fetch_api_key', { form: { username: owner.email, password: owner.password } }),
  )
  const auth = `Basic ${Buffer.from(`${owner.email}:${key}`).toString('base64')}`
  const queue = await call('POST', '/register', { auth, form: { event_types: '["message"]' } })
  const uploaded = await step('a file is uploaded', () =>
    call('POST', '/user_uploads', { auth, file: 'notes.txt' }),
  )
  await step('the organization and its owner get pictures', async () => {
    await call('POST', '/realm/icon', { auth, file: 'icon.png' })
    await call('POST', '/users/me/avatar', { auth, file: 'me.png' })
  })
  const say = (content) =>
    call('POST', '/messages', { auth, form: { type: 'stream', to: 'general', topic: 'trying', content } })
  const { id } = await step('a message is sent', () => say(`See [notes](${uploaded.uri ?? uploaded.url}).`))
  const hear = (last_event_id) =>
    call('GET', `/events?queue_id=${queue.queue_id}&last_event_id=${last_event_id}`, { auth })
  const heard = await step('and received by an event queue', async () => {
    const { events } = await hear(queue.last_event_id)
    expect(events[0]?.message?.id === id, `message ${id} instead of ${JSON.stringify(events)}`)
    return events[0].id
  })
  await step('a password is changed, and a mail written', async () => {
    await manage('reset-password', 'sales', owner.email)
    await until(
      async () =>
        compose(['exec', '-T', 'users', 'ls', '/uploads/mails'], { mayFail: true }).includes('.eml'),
      'a mail',
    )
  })
  await step('what services know of each other is right', async () => {
    const { services } = await manage('replay')
    expect(
      services.every(({ replay }) => replay.mended === 0),
      JSON.stringify(services),
    )
  })

  await step('everything stops', () => compose(['down', '--timeout=30']))
  await step('and starts again', trial.start)
  await step('the message, the file and the pictures are there', async () => {
    const { message } = await call('GET', `/messages/${id}`, { auth })
    expect(message.content.includes('notes'), message.content)
    const file = await send('GET', uploaded.uri ?? uploaded.url, { auth })
    expect(file.status === 200 && file.body.equals(PICTURE), `the file: ${file.status}`)
    for (const path of [message.avatar_url, (await call('GET', '/server_settings')).realm_icon]) {
      const { pathname, search } = new URL(path, 'http://localhost')
      const { status } = await send('GET', pathname + search, { auth })
      expect(status === 200, `${path}: ${status}`)
    }
  })
  await step('the event queue goes on where it was', async () => {
    const { id: next } = await say('Still here?')
    const { events } = await hear(heard)
    expect(events.length === 1 && events[0].message?.id === next, JSON.stringify(events))
  })
  await backUpAndRestore({ auth, say, kept: id, file: uploaded.uri ?? uploaded.url })
  await step('an organization is deactivated and reactivated', async () => {
    await manage('deactivate-organization', 'sales', '--yes')
    const isOpen = async () => (await send('GET', '/api/v1/users/me', { auth })).status === 200
    await until(async () => !(await isOpen()), 'the organization to close')
    await manage('reactivate-organization', 'sales')
    await until(isOpen, 'the organization to open')
  })
}

/** What operators do by the commands of docs/operating.md. */
async function backUpAndRestore({ auth, say, kept, file }) {
  await step('a backup is made, while files come', async () => {
    let isMade = false
    const made = trial.runDocumented(documented('backing up')).finally(() => {
      isMade = true
    })
    for (let count = 0; !isMade; count++) await call('POST', '/user_uploads', { auth, file: `${count}.png` })
    await made
  })
  const { id: lost } = await say('After the backup')
  const folder = file.split('/').at(-2)
  const find = ['find', '/uploads', '-type', 'f', '-path', `*${folder}*`, '-print', '-delete']
  expect(compose(['exec', '-T', 'messaging', ...find]).trim() !== '', `no file is stored for ${file}`)
  // Nobody answers while the gateway starts.
  const read = async (id) => (await send('GET', `/api/v1/messages/${id}`, { auth }).catch(() => null))?.status
  await step('and restored', async () => {
    await trial.runDocumented(documented('restoring'))
    await until(async () => (await read(kept)) === 200, 'the message of before the backup')
  })
  await step('everything is what it was at the backup, the file too, and goes on', async () => {
    expect((await read(lost)) === 400, 'the message after the backup is there')
    expect((await send('GET', file, { auth })).body.equals(PICTURE), 'the file is not there')
    const { id } = await say('After the restore')
    expect(id > lost, `${id} after ${lost}`)
  })
}

/** A block of commands of the document for operators. */
function documented(name) {
  const text = readFileSync(new URL('../docs/operating.md', import.meta.url), 'utf8')
  const [, block] = text.split(`<!-- try.mjs runs this: ${name} -->\n\n\`\`\`sh\n`)
  return block.split('```')[0]
}

/** Fails where two builds of the same sources differ in a file, its text, mode, owner or date. */
function buildAgain() {
  const image = 'realm'
  const { Id: first } = trial.inspect(image)
  const before = contentsOf(image)
  // The service that migrates its database has the same image, and is the one that builds it.
  compose(['build', '--no-cache', 'migrate-realm'], { stdout: 'inherit' })
  expect(trial.inspect(image).Id !== first, 'the image was not built again')
  const after = contentsOf(image)
  const different = [
    ...[...before].filter((line) => !after.has(line)),
    ...[...after].filter((line) => !before.has(line)),
  ]
  expect(different.length === 0, `${different.length} differ: ${different.slice(0, 5).join('; ')}`)
}

/** What the project's own folders of an image hold, a line for each file. */
function contentsOf(image) {
  const folders = '/app /manage -mindepth 1'
  return new Set(
    trial.inImage(
      image,
      `find ${folders} -printf '%p %l %M %U:%G %T@\\n'; find ${folders} -type f -exec sha256sum {} +`,
    ),
  )
}

/** Fails for an image that runs as root, is large, can't be told from others, or brings along what only developers need. */
function inspect(image) {
  const { Labels: labels, Healthcheck: check } = trial.inspect(image).Config
  for (const label of ['title', 'version', 'revision', 'vendor'])
    expect(labels?.[`org.opencontainers.image.${label}`], `it has no label ${label}`)
  expect(check || !serviceNames.includes(image), 'nobody could see whether what runs in it is well')
  const [user, size, ...packages] = trial.inImage(
    image,
    'id -u; du -cm /app /manage 2>/dev/null | tail -1 | cut -f1; ls node_modules/.pnpm',
  )
  expect(user === '1000', `it runs as user ${user}`)
  expect(Number(size) <= MAX_MB, `it has ${size} MB beside Node's image`)
  const needless = packages.filter((name) => DEV_PACKAGES.test(name))
  expect(needless.length === 0, `it has ${needless.join(', ')}`)
}
