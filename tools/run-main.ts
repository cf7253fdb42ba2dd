/** Runs a program with its arguments. Its result is the exit code, if it has one; of an error it prints the message. */
export async function runMain(main: (args: string[]) => Promise<number | undefined>): Promise<void> {
  try {
    process.exitCode = await main(process.argv.slice(2))
  } catch (err) {
    console.error(err instanceof Error ? err.message : err)
    process.exitCode = 1
  }
}
