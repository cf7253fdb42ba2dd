/** What is known about a container that didn't start. */
export interface StartFailure {
  /** The image's name as requested. */
  readonly image: string
  /** The name by which the engine looks it up. */
  readonly fullName: string
  readonly hasImage: boolean
  /** Images with the same name and other tags that the engine has. */
  readonly otherTags: readonly string[]
  /** The engine's machine, for example `x86_64`; null if no engine answers. */
  readonly architecture: string | null
  /** The message of Testcontainers or the engine. */
  readonly reason: string
  /** The container's last lines of output. */
  readonly lastLines: readonly string[]
  /** The values of variables that Testcontainers reads. */
  readonly dockerHost: string | undefined
  readonly namePrefix: string | undefined
}

const NO_ENGINE = /could not find a working container runtime/i
const PULL_FAILED = /registry|manifest|pull|\/v2\/|repository|dial tcp|no such host/i
const OTHER_ARCHITECTURE =
  /no matching manifest|exec format error|does not match the (specified|detected|host) platform/i
const PORT_TAKEN = /port is already allocated|address already in use/i

/** Why a registry didn't provide an image; the first match wins. */
const pullFailures: readonly (readonly [pattern: RegExp, explanation: string])[] = [
  [
    /toomanyrequests|rate limit/i,
    'its registry limits how often images may be pulled: wait, or `docker login`',
  ],
  [/manifest unknown|manifest for .* not found/i, 'its registry has no such tag'],
  [
    /denied|unauthorized|authentication required|no basic auth/i,
    'its registry has none by that name for you: `docker login` if it is a private one',
  ],
  [/x509|certificate/i, "the engine does not trust its registry's certificate"],
  [
    /no such host|dial tcp|connection refused|timeout|deadline|EOF|unreachable/i,
    'the engine does not reach its registry',
  ],
]

/** Explains why a container didn't start and what to do about it. */
export function describeStartFailure(failure: StartFailure): string {
  const { image, hasImage, reason, lastLines } = failure
  if (NO_ENGINE.test(reason)) return describeMissingEngine(failure)
  if (OTHER_ARCHITECTURE.test([reason, ...lastLines].join('\n'))) return describeArchitecture(failure)
  if (!hasImage) return describeMissingImage(failure)
  if (PORT_TAKEN.test(reason))
    return (
      `${image} did not start, since a port of this machine that it was to have is taken. End what uses it, or leave the port to ` +
      `the engine: without withExposedPorts it chooses a free one (${reason})`
    )
  if (PULL_FAILED.test(reason))
    return (
      `${image} did not start, since Testcontainers' helper Ryuk, which removes what tests leave running, can't be pulled. ` +
      'RYUK_CONTAINER_IMAGE names another image of it, such as a copy in a registry that the engine reaches; with ' +
      `TESTCONTAINERS_RYUK_DISABLED=true it isn't used, so stop what you start (${reason})`
    )
  if (lastLines.length === 0) return `${image} did not start: ${reason}`
  return [`${image} did not start: ${reason}. Its last lines:`, ...lastLines].join('\n')
}

function describeMissingEngine({ dockerHost, reason }: StartFailure): string {
  const where = dockerHost === undefined ? '' : ` at DOCKER_HOST=${dockerHost}`
  return (
    `No container engine answers${where}. Start Docker, until \`docker info\` shows a server; or Podman, with DOCKER_HOST naming its ` +
    'socket. Without an engine: `npm start` in the repository of the Team Messaging Service runs all of it, and .local/instance.json ' +
    `there has the address and key for @tms/client (${reason})`
  )
}

function describeArchitecture({ image, architecture, reason }: StartFailure): string {
  const own = architecture === null ? '' : `, which is ${architecture}`
  return (
    `The image ${image} is not for the processor of the engine's machine${own}. ${buildRemedy(image)}; or let the engine emulate ` +
    `the other one, if it can, with withPlatform('linux/amd64') (${reason})`
  )
}

function describeMissingImage({ image, fullName, otherTags, namePrefix, reason }: StartFailure): string {
  const why = pullFailures.find(([pattern]) => pattern.test(reason))?.[1]
  const tagged = namePrefix
    ? ` and \`docker tag ${image} ${fullName}\`, since TESTCONTAINERS_HUB_IMAGE_NAME_PREFIX=${namePrefix} changes the name of every image`
    : ''
  const remedies = [`${buildRemedy(image)}${tagged}`]
  if (otherTags.length > 0) remedies.push(`name one that is there: ${otherTags.join(', ')}`)
  remedies.push('name another image with TEAM_MESSAGING_IMAGE or new TeamMessagingContainer(image)')
  const missing = `There is no image ${image}, and it can't be pulled${why ? `: ${why}` : ''}.`
  return `${missing} ${remedies.join('; or ')} (${reason})`
}

function buildRemedy(image: string): string {
  const command = `docker build --target all-in-one --tag ${image} .`
  return `Build it in the repository of the Team Messaging Service with \`${command}\``
}
