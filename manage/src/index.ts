export { withLocalSystem } from './local-environment.ts'
export { runManage } from './run-manage.ts'
