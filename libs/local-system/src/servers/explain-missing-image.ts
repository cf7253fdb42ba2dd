export interface MissingImage {
  /** Name of the server, as PostgreSQL. */
  readonly title: string
  readonly image: string
  /** The environment variable that names another image. */
  readonly imageVariable: string
  /** The engine's message. */
  readonly reason: string
  /** How to do without containers, to follow 'or'. */
  readonly otherwise: string
  /** Image name prefix of Testcontainers; unset if Docker is called without it. */
  readonly namePrefix?: string | undefined
}

const OTHER_ARCHITECTURE = /no matching manifest|does not match the (specified|detected|host) platform/i

/** Explains that a server's image can't be pulled, and what to do about it. */
export function explainMissingImage(missing: MissingImage): string {
  const { title, image, imageVariable, reason, otherwise, namePrefix } = missing
  const where = OTHER_ARCHITECTURE.test(reason)
    ? 'one for the processor of this machine'
    : 'a copy in a registry that this machine reaches, or one that is built or loaded here (`docker load`)'
  const prefixed = namePrefix
    ? ` (TESTCONTAINERS_HUB_IMAGE_NAME_PREFIX=${namePrefix} stands before its name, also of an image that is here)`
    : ''
  return (
    `The image ${image} of ${title}${prefixed} can't be pulled: ${reason}. Set ${imageVariable} to another, such as ${where}; ` +
    `or ${otherwise}`
  )
}
