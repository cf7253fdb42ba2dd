/**
 * Settles as the promise does, or rejects with the message after so many milliseconds; the work itself isn't
 * cancelled.
 */
export async function within<T>(ms: number, message: string, work: T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms)
  })
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}
