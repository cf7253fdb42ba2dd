export { withLocalSystem } from './local-environment.ts'
export { runManage } from './run-manage.ts'
export { runToExit } from './run-to-exit.ts'
