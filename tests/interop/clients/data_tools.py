"""adlfs and pyarrow: files over the object store as data tools see them, by path, by range, as Parquet."""

import json
import os
import sys
from urllib.parse import urlsplit
from urllib.request import urlopen

import adlfs
import pyarrow
import pyarrow.dataset
import pyarrow.fs
import pyarrow.parquet

given = json.load(sys.stdin)
data = os.urandom(6_000_003)
result = {}

own = {"AccountName": given["account"], "AccountKey": given["keys"][0], "BlobEndpoint": given["endpoint"]}
files = adlfs.AzureBlobFileSystem(connection_string=";".join(f"{name}={value}" for name, value in own.items()))
files.mkdir("adlfs")
with files.open("adlfs/deep/data", "wb") as file:
    file.write(data)
result["adlfs"] = {"same": files.cat("adlfs/deep/data") == data}
with files.open("adlfs/deep/data", "rb") as file:
    file.seek(1_000_000)
    result["adlfs"]["range"] = file.read(5_000) == data[1_000_000:1_005_000]
files.cp("adlfs/deep/data", "adlfs/copy")
result["adlfs"]["copied"] = files.cat("adlfs/copy") == data
result["adlfs"]["listed"] = files.glob("adlfs/**")
result["adlfs"]["walked"] = [[place, sorted(folders), sorted(names)] for place, folders, names in files.walk("adlfs")]
files.setxattrs("adlfs/copy", color="blue")
result["adlfs"]["metadata"] = files.getxattr("adlfs/copy", "color")
signed = urlsplit(files.sign("adlfs/copy"))._replace(scheme="http").geturl()
result["adlfs"]["signed"] = urlopen(signed).read() == data
files.mv("adlfs/copy", "adlfs/moved")
result["adlfs"]["moved"] = [files.exists("adlfs/copy"), files.exists("adlfs/moved")]
for word in (b"one ", b"two"):
    with files.open("adlfs/log", "ab") as file:
        file.write(word)
result["adlfs"]["appended"] = files.cat("adlfs/log").decode()
files.rm("adlfs/deep", recursive=True)
result["adlfs"]["left"] = files.find("adlfs")
files.rm("adlfs", recursive=True)

# It asks both addresses, the second to learn whether folders are real here.
address = {f"{kind}_storage_authority": urlsplit(given["endpoint"]).netloc for kind in ("blob", "dfs")}
scheme = {f"{kind}_storage_scheme": "http" for kind in ("blob", "dfs")}
store = pyarrow.fs.AzureFileSystem(account_name=given["account"], account_key=given["keys"][0], **address, **scheme)
store.create_dir("arrow")
with store.open_output_stream("arrow/deep/data") as file:
    file.write(data)
with store.open_input_file("arrow/deep/data") as file:
    result["pyarrow"] = {"size": file.size(), "range": file.read_at(5_000, 1_000_000) == data[1_000_000:1_005_000]}
entries = store.get_file_info(pyarrow.fs.FileSelector("arrow", recursive=True))
result["pyarrow"]["listed"] = [[entry.path, entry.type.name] for entry in entries]
store.copy_file("arrow/deep/data", "arrow/copy")
with store.open_input_stream("arrow/copy") as file:
    result["pyarrow"]["copied"] = file.read() == data
rows = pyarrow.table({"n": range(100_000), "k": [n % 3 for n in range(100_000)]})
pyarrow.parquet.write_table(rows, "arrow/rows.parquet", filesystem=store)
few = pyarrow.dataset.dataset("arrow/rows.parquet", filesystem=store).to_table(filter=pyarrow.dataset.field("n") < 10)
result["pyarrow"]["filtered"] = few.num_rows
pyarrow.parquet.write_to_dataset(rows, "arrow/parts", partition_cols=["k"], filesystem=store)
parts = pyarrow.dataset.dataset("arrow/parts", filesystem=store, partitioning="hive")
result["pyarrow"]["partitioned"] = [parts.count_rows(), len(parts.files)]
store.delete_file("arrow/copy")
store.delete_dir("arrow/parts")
store.delete_dir_contents("arrow")
result["pyarrow"]["left"] = [entry.path for entry in store.get_file_info(pyarrow.fs.FileSelector("arrow", recursive=True))]
store.delete_dir("arrow")
print(json.dumps(result))
