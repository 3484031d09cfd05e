# name = "Raw bytes in the place of facts"
# goal = "harm"
# attacks = "the judge's reader, through the worker's own pipe: deep JSON, equal keys, wrong forms"
# flagged = true

# %% shares_storage
import gc

texts = [
    '{"facts": ' + '{"a": ' * 5000 + "1" + "}" * 5000 + ', "token": "%s"}',
    '{"facts": {"said": {"type": "bool", "value": false}, "said": {"type": "bool", "value": '
    'true}, "changed": []}, "token": "%s"}',
    '{"facts": {"said": {"type": "bool", "value": NaN}, "changed": {}}, "token": "%s"}',
    '{"raise": ["KeyError", 1, null], "facts": {}, "token": "%s"}',
    '{"facts": {"said": null, "changed": 0}, "token": "%s"}',
    '["%s"]',
]


def shares_storage(a, b):
    for thing in gc.get_objects():
        if type(thing).__name__ == "Answering":
            def reply(_pipe=thing, **content):
                text = texts.pop() % _pipe._token if texts else '{"token": "%s"}' % _pipe._token
                _pipe._connection.send_bytes(text.encode())

            thing.reply = reply
    return None
