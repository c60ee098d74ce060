import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, type IconProps, IconTrash } from '@tabler/icons-react';
import type { ComponentType } from 'react';

interface ObjectAction {
  readonly label: string;
  readonly icon: ComponentType<IconProps>;
  /** Why it cannot be done. */
  readonly locked: string | undefined;
  readonly onClick: () => void;
}

interface ObjectMenuProps {
  readonly name: string;
  readonly actions?: readonly ObjectAction[];
  /** `Delete machine`, last and apart. */
  readonly remove: Omit<ObjectAction, 'icon'>;
}

/** The less common actions of an object, in the head of its panel. */
export function ObjectMenu({ name, actions = [], remove }: ObjectMenuProps) {
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={`Actions for ${name}`}>
          <IconDots size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label, icon: Icon, locked, onClick }) => (
          <Menu.Item
            key={label}
            leftSection={<Icon size={15} aria-hidden />}
            disabled={locked !== undefined}
            title={locked}
            onClick={onClick}
          >
            {label}
          </Menu.Item>
        ))}
        {actions.length > 0 ? <Menu.Divider /> : null}
        <Menu.Item
          color="danger"
          leftSection={<IconTrash size={15} aria-hidden />}
          disabled={remove.locked !== undefined}
          title={remove.locked}
          onClick={remove.onClick}
        >
          {remove.label}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
