import { getContainerRuntimeClient, ImageName } from 'testcontainers'

/** The error for a container that didn't start: what is to be done, or what it said last. */
export async function explainFailure(
  err: unknown,
  image: string,
  lastLines: readonly string[],
): Promise<Error> {
  const reason = err instanceof Error ? err.message : String(err)
  if (!(await isThere(image))) {
    const explanation =
      `There is no image ${image}, and it can't be pulled: build it in the repository of the Team Messaging Service with ` +
      `"docker build --target all-in-one --tag ${image} .", or name another one (${reason})`
    return new Error(explanation, { cause: err })
  }
  if (lastLines.length === 0) return err instanceof Error ? err : new Error(reason)
  return new Error([`${image} did not start: ${reason}. Its last lines:`, ...lastLines].join('\n'), {
    cause: err,
  })
}

/** True where that can't be found out, too: the failure is another then. */
async function isThere(image: string): Promise<boolean> {
  try {
    const client = await getContainerRuntimeClient()
    return await client.image.exists(ImageName.fromString(image))
  } catch {
    return true
  }
}
