import { getContainerRuntimeClient, ImageName } from 'testcontainers'
import { describeStartFailure } from './describe-start-failure.ts'

type Engine = Awaited<ReturnType<typeof getContainerRuntimeClient>>

/** The error for a container that didn't start: the reason, what to do about it, and the container's last lines. */
export async function explainFailure(
  err: unknown,
  image: string,
  lastLines: readonly string[],
): Promise<Error> {
  const name = ImageName.fromString(image)
  const engine = await getContainerRuntimeClient().catch(() => null)
  const message = describeStartFailure({
    image,
    fullName: name.string,
    // If this can't be found out, something else failed.
    hasImage: engine === null || (await engine.image.exists(name).catch(() => true)),
    otherTags: engine === null ? [] : await listTags(engine, name).catch(() => []),
    architecture: engine?.info.containerRuntime.architecture ?? null,
    reason: (err instanceof Error ? err.message : String(err)).trim(),
    lastLines,
    dockerHost: process.env['DOCKER_HOST'],
    namePrefix: process.env['TESTCONTAINERS_HUB_IMAGE_NAME_PREFIX'],
  })
  return new Error(message, { cause: err })
}

/** The names of the engine's images that differ from this one only in their tags. */
async function listTags({ container }: Engine, name: ImageName): Promise<string[]> {
  const repository = name.string.slice(0, -name.tag.length - 1)
  const images = await container.dockerode.listImages({ filters: { reference: [repository] } })
  return images.flatMap(({ RepoTags: tags }) => tags ?? [])
}
