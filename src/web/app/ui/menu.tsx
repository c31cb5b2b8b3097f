/** A menu of commands and links behind a button. */
import { Menu as Base } from '@base-ui/react/menu';
import type { LucideIcon } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { Link } from 'wouter';

export interface MenuItem {
  label: string;
  icon?: LucideIcon;
  /** A screen; `isOutside` for an address outside of the screens. */
  href?: string;
  isOutside?: boolean;
  run?(): unknown;
  isDanger?: boolean;
  isDisabled?: boolean;
  /** At the end of the line: a key, a state. */
  detail?: ReactNode;
}

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement;
  items: readonly MenuItem[];
  /** Above the commands. */
  head?: ReactNode;
  align?: 'start' | 'end';
}

export function Menu({ trigger, items, head, align = 'end' }: MenuProps): ReactNode {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align={align} className="popup-place">
          <Base.Popup className="popup">
            {head}
            {items.map((item) => (
              <Item key={item.label} item={item} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Item({ item }: { item: MenuItem }): ReactNode {
  const { label, icon: Icon, href, isOutside, run, isDanger, isDisabled, detail } = item;
  const className = isDanger ? 'popup-item bad' : 'popup-item';
  const content = (
    <>
      {Icon && <Icon size={16} aria-hidden />}
      {label}
      {detail !== undefined && <span className="popup-detail">{detail}</span>}
    </>
  );
  if (href === undefined) {
    return (
      <Base.Item className={className} disabled={isDisabled} onClick={() => void run?.()}>
        {content}
      </Base.Item>
    );
  }
  return (
    <Base.LinkItem
      className={className}
      closeOnClick
      render={isOutside ? <a href={href} /> : <Link href={href} />}
    >
      {content}
    </Base.LinkItem>
  );
}
