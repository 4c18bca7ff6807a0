import { Drawer } from 'antd'
import css from './shell.module.css'
import { SideMenu } from './side-menu.tsx'

/** The menu over the page, where there is no room beside it. */
export default function MenuDrawer({ path, open, close }: { path: string; open: boolean; close(): void }) {
  return (
    <Drawer
      open={open}
      onClose={close}
      placement="left"
      size={280}
      closable={false}
      styles={{ wrapper: { maxWidth: '100vw' }, body: { padding: 0 } }}
    >
      <div className={css['drawer']}>
        <SideMenu path={path} />
      </div>
    </Drawer>
  )
}
