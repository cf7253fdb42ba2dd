import type { ExamplePerson } from './people.ts'

/** The form of the provider; it is sent to its own URL. */
export function renderLogInPage(people: readonly ExamplePerson[], notice: string | null): string {
  const names = people.map(({ name }) => name).join(', ')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Example provider</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 22rem; margin: 15vh auto; padding: 0 1rem }
label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit; margin-top: .5rem }
input, button { padding: .5rem }
</style>
<h1>Example provider</h1>
<p>An organization’s own sign-in would be here. The people are ${names}; the password is where the chat was started.</p>
${notice === null ? '' : `<p role="alert"><strong>${notice}</strong></p>`}
<form method="post">
<label for="name">User name</label>
<input id="name" name="name" autocomplete="username" autofocus required>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button>Sign in</button>
</form>
<form method="post"><button name="cancel" value="yes">Don’t sign in</button></form>
</html>`
}
