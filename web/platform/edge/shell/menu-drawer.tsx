import { Drawer } from 'antd'
import { useState } from 'react'
import css from './shell.module.css'
import { SideMenu } from './side-menu.tsx'

/** The menu as a drawer, for narrow screens. */
export default function MenuDrawer({
  path,
  open,
  find,
  close,
}: {
  path: string
  open: boolean
  find?: number
  close(): void
}) {
  // While it opens, the drawer keeps the focus; only then can the search take it.
  const [shown, setShown] = useState(false)
  return (
    <Drawer
      open={open}
      afterOpenChange={setShown}
      onClose={close}
      placement="left"
      size={280}
      closable={false}
      styles={{ wrapper: { maxWidth: '100vw' }, body: { padding: 0 } }}
    >
      <div className={css['drawer']}>
        <SideMenu path={path} find={shown ? find : undefined} />
      </div>
    </Drawer>
  )
}
